// The page of one app: values to copy, sample code, settings, credentials and removal.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DeactivateApp, ReactivateApp, RemoveApp, UpdateApp } from "../../../shared/generated/operations";
import { Name } from "../../ui/user-text";
import { ConfirmButton } from "../dialogs/confirm-button";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { CopyValue } from "../parts/copy-value";
import type { Verdict } from "./address-list";
import {
  type App,
  type AppKey,
  appParameters,
  audienceScopeOf,
  authenticatesWithKey,
  clientIdOf,
  hasSecret,
} from "./app";
import { AppState } from "./app-list";
import { AppWarnings } from "./app-warnings";
import { KeyList } from "./key-list";
import { OidcSettingsForm } from "./oidc-settings-form";
import { reviewOf } from "./review";
import { SecretList } from "./secret-list";
import { SnippetTabs } from "./snippet-tabs";
import { isVouchedFor, VouchingForm } from "./vouching";

export interface AppPageProps {
  issuer: string;
  /** Address of the organization's pages. */
  base: string;
  app: App;
  keys: readonly AppKey[];
  /** The grant types that an app can be registered for, by their names in its settings. */
  grantTypes: readonly string[];
  /** The results of the rules for its redirect addresses. */
  verdicts: Readonly<Record<string, Verdict>>;
  mayWrite: boolean;
  mayDelete: boolean;
  /** Whether the viewer manages the instance, which can mark apps as trusted. */
  mayVouch: boolean;
  /** Whether the app belongs to an organization other than the viewer's. */
  isForeign: boolean;
  /** The framework that the app was created for, if it is known. */
  stack: string | undefined;
  /** The address that was rejected, if an error page linked here. */
  refused: ReactNode;
  /** The element that waits for the first sign-in; shown until there is one. */
  first: ReactNode;
  /** The latest attempts to sign in to the app, if the visitor may read them. */
  attempts: ReactNode;
}

export function AppPage(props: AppPageProps) {
  const { issuer, base, app, keys, mayWrite: mayWriteApps, mayDelete, mayVouch } = props;
  const t = useTranslations();
  const mayWrite = mayWriteApps && (mayVouch || !isVouchedFor(app));
  const { oidcConfig: oidc } = app;
  const at = appParameters(app);
  const isActive = app.state === "APP_STATE_ACTIVE";
  return (
    <>
      <p className="crumb">
        <a href={`${base}/apps`}>{t("pages.apps")}</a>
      </p>
      <div className="head">
        <h1>
          <Name>{app.name}</Name>
        </h1>
        <AppState app={app} isForeign={props.isForeign} />
        {mayWrite && (
          <FormDialog
            id="rename-app"
            label={t("apps.rename")}
            triggerLook="plain"
            title={t("apps.rename")}
            submit={t("apps.save")}
            operation={UpdateApp}
            at={at}
            done={t("apps.saved")}
            review={reviewOf(app, "app")}
          >
            <TextField name="name" label={t("apps.name")} value={app.name} required maxLength={200} />
          </FormDialog>
        )}
      </div>
      {props.refused}
      <AppWarnings problems={oidc?.complianceProblems ?? []} />
      {mayWriteApps && !mayWrite && <p className="hint">{t("apps.vouchedFor")}</p>}
      <section className="card" aria-labelledby="connect">
        <h2 id="connect">{t("apps.connect")}</h2>
        <dl className="facts">
          <Value label={t("apps.clientId")} value={clientIdOf(app)} />
          <Value label={t("overview.issuer")} value={issuer} />
          <Value label={t("overview.discovery")} value={`${issuer}/.well-known/openid-configuration`} />
          <Value label={t("apps.keySet")} value={`${issuer}/oauth/v2/keys`} />
          {!oidc && <Value label={t("apps.callerScope")} value={audienceScopeOf(app)} />}
          {oidc && <Value label={t("apps.endSession")} value={`${issuer}/oidc/v1/end_session`} />}
        </dl>
        {!oidc && <p>{t("apps.callerScopeHint")}</p>}
        {oidc && (
          <p>
            <a id="open-playground" href={`${base}/playground?project=${app.projectId}&app=${app.id}`}>
              {t("apps.openPlayground")}
            </a>
          </p>
        )}
      </section>
      {props.attempts}
      {props.first}
      <section className="card" aria-labelledby="code">
        <h2 id="code">{t("apps.snippets")}</h2>
        <p>{hasSecret(app) ? t("apps.snippetsSecretHint") : t("apps.snippetsHint")}</p>
        <SnippetTabs issuer={issuer} app={app} stack={props.stack} mayWrite={mayWrite} />
      </section>
      {oidc && (
        <OidcSettingsForm
          app={app}
          settings={oidc}
          grantTypes={props.grantTypes}
          verdicts={props.verdicts}
          isReadOnly={!mayWrite}
        />
      )}
      {oidc && mayVouch && <VouchingForm app={app} settings={oidc} />}
      {hasSecret(app) && <SecretList app={app} mayWrite={mayWrite} />}
      {authenticatesWithKey(app) && <KeyList app={app} keys={keys} mayWrite={mayWrite} />}
      {(mayWriteApps || mayDelete) && (
        <section className="card" aria-labelledby="end">
          <h2 id="end">{t("apps.end")}</h2>
          <div className="buttons">
            {mayWriteApps && (
              <ConfirmButton
                id="switch-app"
                operation={isActive ? DeactivateApp : ReactivateApp}
                at={at}
                label={isActive ? t("apps.deactivate") : t("apps.reactivate")}
                look={isActive ? "danger" : "primary"}
                triggerLook="plain"
                title={t(isActive ? "apps.deactivateTitle" : "apps.reactivateTitle", { name: app.name })}
                text={<p>{isActive ? t("apps.deactivateText") : t("apps.reactivateText")}</p>}
                done={t("apps.saved")}
              />
            )}
            {mayDelete && (
              <ConfirmButton
                id="delete-app"
                operation={RemoveApp}
                at={at}
                label={t("apps.delete")}
                title={t("apps.deleteTitle", { name: app.name })}
                text={<p>{t("apps.deleteText")}</p>}
                done={t("apps.deleted")}
                then={`${base}/apps`}
              />
            )}
          </div>
        </section>
      )}
    </>
  );
}

function Value({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <CopyValue value={value} label={label} />
      </dd>
    </div>
  );
}
