// The settings of an app: those of its owner, those of the instance, and the end of the app.
import { useTranslations } from "next-intl";
import { DeactivateApp, ReactivateApp, RemoveApp } from "../../../shared/generated/operations";
import { ConfirmButton } from "../dialogs/confirm-button";
import type { Verdict } from "./address-list";
import { type App, appParameters } from "./app";
import { ConnectionsForm } from "./connections-form";
import { OidcSettingsForm } from "./oidc-settings-form";
import { VouchingForm } from "./vouching";

export interface AppSettingsProps {
  /** Address of the organization's pages. */
  base: string;
  app: App;
  /** The grant types that an app can be registered for, by their names in its settings. */
  grantTypes: readonly string[];
  /** The results of the rules for its redirect addresses. */
  verdicts: Readonly<Record<string, Verdict>>;
  may: {
    /** Whether the visitor may change the settings. */
    write: boolean;
    /** Whether the visitor may deactivate the app. */
    deactivate: boolean;
    delete: boolean;
    /** Whether the visitor manages the organization, which can connect apps to authorization servers. */
    connect: boolean;
    /** Whether the visitor manages the instance, which can mark apps as trusted. */
    vouch: boolean;
  };
}

export function AppSettings({ base, app, grantTypes, verdicts, may }: AppSettingsProps) {
  const t = useTranslations();
  const { oidcConfig: oidc } = app;
  const at = appParameters(app);
  const isActive = app.state === "APP_STATE_ACTIVE";
  return (
    <>
      {oidc && (
        <OidcSettingsForm
          app={app}
          settings={oidc}
          grantTypes={grantTypes}
          verdicts={verdicts}
          isReadOnly={!may.write}
        />
      )}
      {oidc && <ConnectionsForm app={app} settings={oidc} isReadOnly={!may.write || !may.connect} />}
      {oidc && may.vouch && <VouchingForm app={app} settings={oidc} />}
      {(may.deactivate || may.delete) && (
        <section className="card" aria-labelledby="end">
          <h2 id="end">{t("apps.end")}</h2>
          <div className="buttons">
            {may.deactivate && (
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
            {may.delete && (
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
