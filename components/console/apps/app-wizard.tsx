"use client";
// The wizard that creates an app. The kind of app determines all settings that matter for security. The framework adds
// what its library needs, and its redirect address, so that the copied code runs unchanged.
// A secret is shown once, with the complete `.env`; a key is shown as a file. The app's page with the code follows.
import { useTranslations } from "next-intl";
import { type FormEvent, useMemo, useState } from "react";
import type { Refusal } from "../../../shared/refusal";
import { Problems, RefusedForm } from "../calls/problems";
import { SecretOnce, secretsIn } from "../dialogs/secret-once";
import { TextField } from "../forms/fields";
import { controlsOf, formBody } from "../forms/form-body";
import { AddressList } from "./address-list";
import { type AppToCreate, type CreatedApp, createApp } from "./create-app";
import { environmentFile } from "./environment";
import { type Credential, frameworkOf, frameworksOf, JWT_APIS, neededSettings } from "./frameworks";
import { EXAMPLES } from "./generated/examples";
import { APP_KINDS, authenticates, EXAMPLE_REDIRECT, SAFE_SETTINGS, signsIn } from "./kinds";
import { NeededSettingsList } from "./needed-settings";
import type { AppKind } from "./snippet";

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
  const framework = frameworkOf(stackId);
  const [credential, setCredential] = useState<Credential>("secret");
  const [callsId, setCallsId] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [created, setCreated] = useState<CreatedApp>();
  const [environment, setEnvironment] = useState("");
  const person = signsIn(kind) ? kind : undefined;
  const rule = useMemo(() => {
    if (!person) return undefined;
    const { appType, authMethodType, responseTypes } = SAFE_SETTINGS[person];
    return { appType, authMethodType, responseTypes };
  }, [person]);
  const addresses = framework?.addresses;
  const redirectUri = addresses?.redirectUri ?? (person && EXAMPLE_REDIRECT[person]);
  const calls = person && frameworkOf(callsId);
  const { reasons } = neededSettings({ framework, credential: authenticates(kind) ? credential : "secret", calls });
  const chooseStack = (id: string | undefined) => {
    setStackId(id);
    setCredential(frameworkOf(id)?.credential ?? "secret");
  };
  const chooseKind = (chosen: AppKind) => {
    setKind(chosen);
    chooseStack(undefined);
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
    // The wizard stays busy until the app's page is loaded, so that the user cannot create a second app.
    setRefusal(undefined);
    const { secret: clientSecret, keyDetails, clientId, address } = answer.body;
    if (clientSecret === undefined && keyDetails === undefined) return location.assign(address);
    const code = EXAMPLES.find(({ id }) => id === typed.stack);
    if (clientSecret !== undefined) setEnvironment(environmentFile({ issuer, clientId, clientSecret }, code));
    setCreated(answer.body);
  };
  return (
    <form id="new-app" className="form" onSubmit={send} aria-busy={isBusy}>
      <Problems refusal={refusal} />
      <fieldset className="choices kinds">
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
      <fieldset className="choices stacks">
        <legend>{t("apps.framework")}</legend>
        {[...frameworksOf(kind), undefined].map((one) => {
          const id = `stack-${one?.id ?? "other"}`;
          return (
            <div className="check" key={id}>
              <input
                type="radio"
                id={id}
                name="stack"
                value={one?.id ?? ""}
                checked={stackId === one?.id}
                onChange={() => chooseStack(one?.id)}
              />
              <label htmlFor={id}>{one ? <bdi>{one.title}</bdi> : t("apps.otherFramework")}</label>
            </div>
          );
        })}
      </fieldset>
      <RefusedForm value={refusal}>
        <TextField name="name" label={t("apps.name")} hint={t("apps.nameHint")} required maxLength={200} />
        {kind !== "machine" && <ProjectField projects={projects} mayCreate={mayCreateProject} />}
        {authenticates(kind) && (
          <CredentialField value={credential} framework={framework?.credential} onChoose={setCredential} />
        )}
        {person && (
          <>
            <AddressList
              name="redirectUris"
              legend={t("apps.redirectUris")}
              hint={t(kind === "device" ? "apps.deviceRedirectUrisHint" : "apps.redirectUrisHint")}
              addresses={redirectUri ? [redirectUri] : []}
              settings={rule}
            />
            <AddressList
              name="postLogoutRedirectUris"
              legend={t("apps.postLogoutRedirectUris")}
              hint={t("apps.postLogoutRedirectUrisHint")}
              addresses={addresses?.postLogoutRedirectUri ? [addresses.postLogoutRedirectUri] : []}
            />
            <div className="field">
              <label htmlFor="calls">{t("apps.calls")}</label>
              <p className="hint" id="calls-hint">
                {t("apps.callsHint")}
              </p>
              <select
                id="calls"
                name="calls"
                aria-describedby="calls-hint"
                value={callsId}
                onChange={(event) => setCallsId(event.target.value)}
              >
                <option value="">{t("apps.callsNone")}</option>
                {JWT_APIS.map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </select>
            </div>
          </>
        )}
      </RefusedForm>
      <section className="card" aria-labelledby="safe-defaults">
        <h2 id="safe-defaults">{t("apps.safeDefaults")}</h2>
        <p>{t(`apps.by.${authenticates(kind) && credential === "key" ? "defaultsWithKey" : "defaults"}.${kind}`)}</p>
        <NeededSettingsList reasons={reasons} />
        {kind === "api" && framework?.callerSettings && (
          <>
            <p>{t("apps.callersNeed", { framework: framework.title })}</p>
            <NeededSettingsList
              reasons={neededSettings({ framework: undefined, credential, calls: framework }).reasons}
            />
          </>
        )}
      </section>
      <div className="buttons">
        <button type="submit" id="create-app" className="primary" aria-disabled={isBusy}>
          {t(kind === "machine" ? "apps.createMachine" : "apps.create")}
        </button>
      </div>
      {created?.keyDetails !== undefined && (
        <SecretOnce
          title={t("apps.keyTitle")}
          text={t("apps.keyText")}
          fileName="key.json"
          secrets={secretsIn({ ...created }, [{ name: "keyDetails", label: t("apps.keyFile"), isBase64: true }])}
          onStored={() => location.assign(created.address)}
        />
      )}
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

interface CredentialFieldProps {
  value: Credential;
  /** The credential that the framework is made for; the other one is not offered. */
  framework: Credential | undefined;
  onChoose(credential: Credential): void;
}

function CredentialField({ value, framework, onChoose }: CredentialFieldProps) {
  const t = useTranslations();
  return (
    <fieldset className="choices">
      <legend>{t("apps.authMethod")}</legend>
      {(["secret", "key"] as const)
        .filter((one) => framework === undefined || one === framework)
        .map((one) => (
          <div className="check" key={one}>
            <input
              type="radio"
              id={`credential-${one}`}
              name="credential"
              value={one}
              checked={one === value}
              onChange={() => onChoose(one)}
            />
            <label htmlFor={`credential-${one}`}>{t(`apps.by.credential.${one}`)}</label>
          </div>
        ))}
    </fieldset>
  );
}

/** Renders nothing if there is no project yet: a project is created with the app. */
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
