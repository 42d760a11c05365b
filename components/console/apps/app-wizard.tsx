"use client";
// The framework is asked for first: it says what kind of app it is and where people come back to, so that the copied code
// runs as it is. Without one, "what are you building?" chooses all settings that matter for security. A secret, if there
// is one, is shown once, with the whole `.env`; then follows the app's page with the code to run.
import { useTranslations } from "next-intl";
import { type FormEvent, useMemo, useState } from "react";
import { TextField } from "../fields";
import { controlsOf, formBody } from "../form-body";
import { Problems, RefusedForm } from "../problems";
import type { Refusal } from "../refusal";
import { SecretOnce } from "../secret-once";
import { AddressList } from "./address-list";
import { type AppToCreate, type CreatedApp, createApp } from "./create-app";
import { environmentFile } from "./environment";
import { APP_KINDS, EXAMPLE_REDIRECT, SAFE_SETTINGS, signsIn } from "./kinds";
import type { AppKind } from "./snippets/snippet";
import { STACKS, stackOf } from "./stacks";

export interface AppWizardProps {
  issuer: string;
  /** Address of the organization's pages. */
  base: string;
  organizationId: string;
  projects: readonly { id: string; name: string }[];
  mayCreateProject: boolean;
  mayCreateMachine: boolean;
}

export function AppWizard(props: AppWizardProps) {
  const { issuer, base, organizationId, projects, mayCreateProject, mayCreateMachine } = props;
  const t = useTranslations();
  const mayCreateApp = projects.length > 0 || mayCreateProject;
  const kinds = APP_KINDS.filter((kind) => (kind === "machine" ? mayCreateMachine : mayCreateApp));
  const [first = "web"] = kinds;
  const [kind, setKind] = useState<AppKind>(first);
  const [stackId, setStackId] = useState<string>();
  const stack = stackOf(stackId);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [created, setCreated] = useState<CreatedApp>();
  const [environment, setEnvironment] = useState("");
  const person = kind === "web" || kind === "browser" || kind === "native" ? kind : undefined;
  const rule = useMemo(() => {
    if (!person) return undefined;
    const { appType, authMethodType, responseTypes } = SAFE_SETTINGS[person];
    return { appType, authMethodType, responseTypes };
  }, [person]);
  const addresses = stack?.snippet.addresses;
  const chooseStack = (id: string | undefined) => {
    const chosen = stackOf(id);
    setStackId(chosen?.snippet.id);
    if (chosen) setKind(chosen.kind);
  };
  // Another kind is without the framework.
  const chooseKind = (chosen: AppKind) => {
    setKind(chosen);
    setStackId(undefined);
  };
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const typed = formBody(controlsOf(event.currentTarget)) as unknown as Omit<AppToCreate, "kind">;
    const answer = await createApp({ ...typed, kind }, { organizationId, base });
    if (!answer.ok) {
      setBusy(false);
      return setRefusal(answer.refusal);
    }
    // It stays busy: until the app's page is there, nobody makes another one.
    setRefusal(undefined);
    const { secret: clientSecret, clientId, address } = answer.body;
    if (clientSecret === undefined) return location.assign(address);
    setEnvironment(environmentFile({ issuer, clientId, clientSecret }, stackOf(typed.stack)?.snippet));
    setCreated(answer.body);
  };
  return (
    <form id="new-app" className="form" onSubmit={send} aria-busy={isBusy}>
      <Problems refusal={refusal} />
      {mayCreateApp && (
        <fieldset className="choices stacks">
          <legend>{t("apps.framework")}</legend>
          {STACKS.map(({ snippet: { id, title } }) => (
            <div className="check" key={id}>
              <input
                type="radio"
                id={`stack-${id}`}
                name="stack"
                value={id}
                checked={stackId === id}
                onChange={() => chooseStack(id)}
              />
              <label htmlFor={`stack-${id}`}>
                <bdi>{title}</bdi>
              </label>
            </div>
          ))}
        </fieldset>
      )}
      <fieldset className={stack ? "choices kinds settled" : "choices kinds"}>
        <legend>{t("apps.whatIsBuilt")}</legend>
        {kinds.map((one) => (
          <div className="check" key={one}>
            <input
              type="radio"
              id={`kind-${one}`}
              name="kind"
              value={one}
              checked={one === kind}
              aria-describedby={`kind-${one}-hint`}
              onChange={() => chooseKind(one)}
            />
            <label htmlFor={`kind-${one}`}>{t(`apps.by.kind.${one}`)}</label>
            <p className="hint" id={`kind-${one}-hint`}>
              {t(`apps.by.kindHint.${one}`)}
            </p>
          </div>
        ))}
      </fieldset>
      <RefusedForm value={refusal}>
        <TextField name="name" label={t("apps.name")} hint={t("apps.nameHint")} required maxLength={200} />
        {kind !== "machine" && <ProjectField projects={projects} mayCreate={mayCreateProject} />}
        {person && (
          <>
            <AddressList
              name="redirectUris"
              legend={t("apps.redirectUris")}
              hint={t("apps.redirectUrisHint")}
              addresses={[addresses?.redirectUri ?? EXAMPLE_REDIRECT[person]]}
              settings={rule}
            />
            <AddressList
              name="postLogoutRedirectUris"
              legend={t("apps.postLogoutRedirectUris")}
              hint={t("apps.postLogoutRedirectUrisHint")}
              addresses={addresses?.postLogoutRedirectUri ? [addresses.postLogoutRedirectUri] : []}
            />
          </>
        )}
      </RefusedForm>
      <section className="card" aria-labelledby="safe-defaults">
        <h2 id="safe-defaults">{t("apps.safeDefaults")}</h2>
        <p>{t(`apps.by.defaults.${kind}`)}</p>
      </section>
      <div className="buttons">
        <button type="submit" id="create-app" className="primary" aria-disabled={isBusy}>
          {signsIn(kind) || kind === "api" ? t("apps.create") : t("apps.createMachine")}
        </button>
      </div>
      {created?.secret !== undefined && (
        <SecretOnce
          title={t("apps.secretTitle")}
          text={t("apps.secretText")}
          fileName="app.env"
          environment={environment}
          secrets={[
            { name: "clientId", label: t("apps.clientId"), variable: "CLIENT_ID", text: created.clientId },
            { name: "clientSecret", label: t("apps.clientSecret"), variable: "CLIENT_SECRET", text: created.secret },
          ]}
          onStored={() => location.assign(created.address)}
        />
      )}
    </form>
  );
}

/** Nothing where there is no project yet: the app brings one along. */
function ProjectField({ projects, mayCreate }: { projects: AppWizardProps["projects"]; mayCreate: boolean }) {
  const t = useTranslations();
  if (projects.length === 0) return null;
  return (
    <div className="field">
      <label htmlFor="project">{t("apps.project")}</label>
      <p className="hint" id="project-hint">
        {t("apps.projectHint")}
      </p>
      <select id="project" name="projectId" aria-describedby="project-hint" defaultValue={projects[0]?.id}>
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {mayCreate && <option value="">{t("apps.newProject")}</option>}
      </select>
    </div>
  );
}
