"use client";
// The wizard that creates an app. The kind of app determines all settings that matter for security. The framework adds
// what its library needs, and its redirect address, so that the copied code runs unchanged.
// A secret is shown once, with the complete `.env`; a key is shown as a file. The app's page with the code follows.
import { useTranslations } from "next-intl";
import { type FormEvent, useMemo, useState } from "react";
import type { Refusal } from "../../../shared/refusal";
import { Problems, RefusedForm } from "../calls/problems";
import { useGoTo } from "../calls/refresh";
import { SecretOnce, secretsIn } from "../dialogs/secret-once";
import { TextField } from "../forms/fields";
import { FormContext, useFields } from "../forms/form-state";
import { useValidity } from "../forms/validity";
import { withHint } from "../forms/with-hint";
import { Button } from "../parts/button";
import { AddressList } from "./address-list";
import { type CreatedApp, createApp } from "./create-app";
import { environmentFile } from "./environment";
import { type Credential, type Framework, frameworkOf, neededSettings, type SettingReason } from "./frameworks";
import { EXAMPLES } from "./generated/examples";
import { handOverSecrets, ownSecrets } from "./kept-secret";
import { APP_KINDS, authenticates, EXAMPLE_REDIRECT, SAFE_SETTINGS, signsIn } from "./kinds";
import { NeededSettingsList } from "./needed-settings";
import type { AppKind } from "./snippet";
import { CallsField, CredentialField, FrameworkField, KindField, ProjectField } from "./wizard-fields";

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
  const [projectId, setProjectId] = useState(projects[0]?.id ?? "");
  const fields = useFields();
  const goTo = useGoTo();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [created, setCreated] = useState<CreatedApp>();
  const [own] = useState(ownSecrets);
  const validity = useValidity(fields.labelOf);
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
    const wrong = validity(event.currentTarget);
    if (wrong) return setRefusal(wrong);
    setBusy(true);
    const chosen = {
      kind,
      projectId: projectId || undefined,
      isFirstProject: projects.length === 0,
      stack: stackId,
      credential: authenticates(kind) ? credential : undefined,
      calls: (person && callsId) || undefined,
    };
    const { name, ...addresses } = fields.body();
    const answer = await createApp({ ...addresses, name: String(name), ...chosen }, { organizationId, base });
    if (!answer.ok) {
      setBusy(false);
      return setRefusal(answer.refusal);
    }
    // The wizard stays busy until the app's page is loaded, so that the user cannot create a second app.
    setRefusal(undefined);
    const { secret, keyDetails, address } = answer.body;
    if (secret === undefined && keyDetails === undefined) return goTo(address);
    setCreated(answer.body);
  };
  return (
    <form id="new-app" className="form" noValidate onSubmit={send} aria-busy={isBusy}>
      <Problems refusal={refusal} labelOf={fields.labelOf} />
      <KindField kinds={kinds} value={kind} onChoose={chooseKind} />
      <FrameworkField kind={kind} value={stackId} onChoose={chooseStack} />
      <RefusedForm value={refusal}>
        <FormContext value={fields.form}>
          <TextField name="name" {...withHint(t, "apps.name")} required maxLength={200} />
          {kind !== "machine" && (
            <ProjectField projects={projects} mayCreate={mayCreateProject} value={projectId} onChoose={setProjectId} />
          )}
          {authenticates(kind) && (
            <CredentialField value={credential} framework={framework?.credential} onChoose={setCredential} />
          )}
          {person && (
            <>
              <AddressList
                name="redirectUris"
                label={t("apps.redirectUris")}
                hint={t(kind === "device" ? "apps.deviceRedirectUrisHint" : "apps.redirectUrisHint")}
                addresses={redirectUri ? [redirectUri] : []}
                settings={rule}
              />
              <AddressList
                name="postLogoutRedirectUris"
                label={t("apps.postLogoutUris")}
                hint={t("apps.postLogoutRedirectUrisHint")}
                addresses={addresses?.postLogoutRedirectUri ? [addresses.postLogoutRedirectUri] : []}
              />
              <CallsField value={callsId} onChoose={setCallsId} />
            </>
          )}
        </FormContext>
      </RefusedForm>
      <SafeDefaults kind={kind} credential={credential} framework={framework} reasons={reasons} />
      <div className="buttons">
        <Button
          id="create-app"
          type="submit"
          look="primary"
          label={t(kind === "machine" ? "apps.createMachine" : "apps.create")}
          isDisabled={isBusy}
        />
      </div>
      {created && <Created app={created} issuer={issuer} stack={stackId} own={own} />}
    </form>
  );
}

interface SafeDefaultsProps {
  kind: AppKind;
  credential: Credential;
  framework: Framework | undefined;
  reasons: readonly SettingReason[];
}

function SafeDefaults({ kind, credential, framework, reasons }: SafeDefaultsProps) {
  const t = useTranslations();
  return (
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
  );
}

interface CreatedProps {
  app: CreatedApp;
  issuer: string;
  stack: string | undefined;
  /** The application's own secrets. */
  own: ReturnType<typeof ownSecrets>;
}

/** The secret or the key of the created app; its page follows. */
function Created({ app, issuer, stack, own }: CreatedProps) {
  const t = useTranslations();
  const goTo = useGoTo();
  const { clientId, secret: clientSecret, address } = app;
  const code = EXAMPLES.find(({ id }) => id === stack);
  const environment = environmentFile({ issuer, clientId, clientSecret }, code, own.secretFor);
  const goOn = () => {
    // The page has the same values as this dialog until it is left.
    if (clientSecret !== undefined) handOverSecrets(address, { clientSecret, own: own.all() });
    goTo(address);
  };
  return (
    <>
      {app.keyDetails !== undefined && (
        <SecretOnce
          title={t("apps.keyTitle")}
          text={t("apps.keyText")}
          fileName="key.json"
          secrets={secretsIn({ ...app }, [{ name: "keyDetails", label: t("apps.keyFile"), isBase64: true }])}
          onStored={goOn}
        />
      )}
      {clientSecret !== undefined && (
        <SecretOnce
          title={t("apps.secretTitle")}
          text={t("apps.secretText")}
          fileName="app.env"
          environment={environment}
          secrets={[
            { name: "clientId", label: t("apps.clientId"), variable: "CLIENT_ID", text: clientId },
            { name: "clientSecret", label: t("apps.clientSecret"), variable: "CLIENT_SECRET", text: clientSecret },
          ]}
          onStored={goOn}
        />
      )}
    </>
  );
}
