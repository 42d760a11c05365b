"use client";
// A real sign-in to one of the apps: shows and explains the request before it is sent; result.tsx shows the responses.
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { UpdateOIDCAppConfig } from "../../../shared/generated/operations";
import type { Refusal } from "../../../shared/refusal";
import type { App } from "../apps/app";
import { appParameters, settingsToSend } from "../apps/app";
import {
  type AuthorizationAttempt,
  authorizationAddress,
  begin,
  callbackAddress,
  playgroundApp,
  responseTypesOf,
} from "../apps/sign-in-flow";
import { outline, prepare, SCOPE, usualWish, type Wanted } from "../apps/sign-in-request";
import { useCanRun } from "../apps/use-can-run";
import { ActionButton } from "../calls/action-button";
import { Problems, RefusedForm } from "../calls/problems";
import { SelectField, TextField } from "../forms/fields";
import { FormContext, useFields } from "../forms/form-state";
import { useValidity } from "../forms/validity";
import { withHint } from "../forms/with-hint";
import { Button } from "../parts/button";
import { CodeBlock } from "../parts/code-block";
import { AddressCheck } from "./address-check";
import { ParameterTable } from "./parameter-table";

export interface PlaygroundProps {
  issuer: string;
  /** Address of the organization's pages. */
  base: string;
  organizationId: string;
  /** The apps that users sign in to. */
  apps: readonly App[];
  chosenAppId: string | undefined;
  /** The projects whose apps the visitor may change; undefined for all. */
  writableProjects: readonly string[] | undefined;
}

const PROMPTS = ["", "login", "select_account", "create", "none"];

export function Playground({ issuer, base, organizationId, apps, chosenAppId, writableProjects }: PlaygroundProps) {
  const t = useTranslations();
  // By default, the first app that the playground can sign in to without changes.
  const open = apps.find(({ oidcConfig }) => oidcConfig?.redirectUris.includes(callbackAddress(issuer)));
  const [appId, setAppId] = useState(chosenAppId ?? open?.id ?? "");
  const app = apps.find(({ id }) => id === appId) ?? open ?? apps[0];
  if (!app) {
    return (
      <>
        <h1>{t("pages.playground")}</h1>
        <div className="card empty">
          <p>{t("playground.noApps")}</p>
          <p>
            <a href={`${base}/apps/new`}>{t("apps.add")}</a>
          </p>
        </div>
      </>
    );
  }
  return (
    <>
      <h1>{t("pages.playground")}</h1>
      <p className="lead">{t("playground.lead")}</p>
      <section className="card" aria-labelledby="request">
        <h2 id="request">{t("playground.request")}</h2>
        <div className="field">
          <label htmlFor="playground-app">{t("playground.app")}</label>
          <select id="playground-app" value={app.id} onChange={(event) => setAppId(event.target.value)}>
            {apps.map(({ id, name, projectName }) => (
              <option key={id} value={id}>{`${name} – ${projectName}`}</option>
            ))}
          </select>
        </div>
        <Request
          key={app.id}
          issuer={issuer}
          organizationId={organizationId}
          app={app}
          mayWrite={writableProjects?.includes(app.projectId) ?? true}
        />
      </section>
      <AddressCheck organizationId={organizationId} apps={apps} writableProjects={writableProjects} />
    </>
  );
}

type RequestProps = Pick<PlaygroundProps, "issuer" | "organizationId"> & { app: App; mayWrite: boolean };

/** The form, or the obstacle to the sign-in. */
function Request(props: RequestProps) {
  const t = useTranslations();
  const { issuer, app, mayWrite } = props;
  const mayRun = useCanRun(issuer);
  const oidc = app.oidcConfig;
  const redirectUris = oidc?.redirectUris ?? [];
  const callback = callbackAddress(issuer);
  if (!mayRun) return <p className="banner">{t("playground.notSecure")}</p>;
  if (!oidc || redirectUris.includes(callback)) return <RequestForm {...props} />;
  return (
    <div className="banner">
      <p>{t("playground.notAllowed")}</p>
      <p>
        <code>{callback}</code>
      </p>
      {mayWrite ? (
        <ActionButton
          id="allow-playground"
          operation={UpdateOIDCAppConfig}
          at={appParameters(app)}
          body={{ ...settingsToSend(oidc), redirectUris: [...redirectUris, callback] }}
          label={t("playground.allow")}
          done={t("playground.isRegistered")}
        />
      ) : (
        <p>{t("playground.askToAllow")}</p>
      )}
    </div>
  );
}

function RequestForm({ issuer, organizationId, app, mayWrite }: RequestProps) {
  const t = useTranslations();
  const known = playgroundApp(app, { organizationId, mayWrite });
  const [attempt, setAttempt] = useState(() => outline(issuer, known, usualWish(responseTypesOf(app)[0] ?? "code")));
  const fields = useFields();
  /** The request for the current form; browsers compute it asynchronously. */
  const latest = useRef<Promise<AuthorizationAttempt>>(undefined);
  const typed = JSON.stringify(fields.body());
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the form has changed
  useEffect(() => {
    const { maxAge = "", ...filled } = fields.body() as Partial<Wanted>;
    const nothing = { scope: "", responseType: "code", prompt: "", loginHint: "", uiLocales: "" };
    const prepared = prepare(issuer, known, { ...nothing, ...filled, maxAge: String(maxAge) });
    latest.current = prepared;
    void prepared.then((made) => latest.current === prepared && setAttempt(made));
  }, [typed]);
  const [wrong, setWrong] = useState<Refusal>();
  const validity = useValidity(fields.labelOf);
  const run = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const invalid = validity(event.currentTarget);
    setWrong(invalid);
    if (invalid) return;
    if (latest.current) begin(await latest.current);
  };
  return (
    <form id="playground" className="form playground" noValidate onSubmit={run}>
      <div className="wishes">
        <Problems refusal={wrong} />
        <RefusedForm value={wrong}>
          <FormContext value={fields.form}>
            <SelectField
              name="responseType"
              label={t("playground.responseType")}
              options={responseTypesOf(app).map((value) => ({ value, label: value }))}
            />
            <TextField name="scope" {...withHint(t, "playground.scope")} value={SCOPE} />
            <SelectField
              name="prompt"
              label={t("playground.prompt")}
              options={PROMPTS.map((value) => ({ value, label: t(`playground.by.prompt.${value || "unset"}`) }))}
            />
            <TextField name="loginHint" label={t("playground.loginHint")} />
            <TextField name="maxAge" type="number" min={0} label={t("playground.maxAge")} />
            <TextField name="uiLocales" label={t("playground.uiLocales")} placeholder="de en" />
          </FormContext>
        </RefusedForm>
        <div className="buttons run">
          <Button id="run" type="submit" look="primary" label={t("playground.run")} />
        </div>
      </div>
      <div className="request">
        <ParameterTable caption={t("playground.parameters")} kind="parameter" values={attempt.parameters} />
        <CodeBlock label={t("playground.address")} code={authorizationAddress(attempt)} />
      </div>
    </form>
  );
}
