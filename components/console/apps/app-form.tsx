// A form for some settings of an app. The operation replaces all settings, so the others are sent as they are. How a
// change of an app is reviewed: by its current state, which is written back to undo the change.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { GetAppByID, UpdateAPIAppConfig, UpdateOIDCAppConfig } from "../../../shared/generated/operations";
import { ActionForm, type ActionReview } from "../forms/action-form";
import { type App, appParameters, type OidcConfig, settingsToSend } from "./app";

export interface AppFormProps {
  id: string;
  app: App;
  /** Whether a setting has a field of the form. */
  has(setting: keyof OidcConfig): boolean;
  isReadOnly?: boolean;
  effects?: ActionReview["effects"];
  children: ReactNode;
}

export function AppForm({ id, app, has, isReadOnly, effects, children }: AppFormProps) {
  const t = useTranslations();
  const { oidcConfig, apiConfig } = app;
  const sent = Object.entries(settingsToSend(oidcConfig ?? apiConfig ?? ({} as OidcConfig)));
  return (
    <ActionForm
      id={id}
      submit={t("apps.save")}
      operation={oidcConfig ? UpdateOIDCAppConfig : UpdateAPIAppConfig}
      at={appParameters(app)}
      body={Object.fromEntries(sent.filter(([name]) => !has(name as keyof OidcConfig)))}
      done={t("apps.saved")}
      review={{ ...reviewOf(app), effects }}
      isReadOnly={isReadOnly}
    >
      {children}
    </ActionForm>
  );
}

/**
 * Returns the review of an app's settings.
 * @param of the path of the changed member in the response
 */
export function reviewOf(app: App, of = app.oidcConfig ? "app.oidcConfig" : "app.apiConfig"): ActionReview {
  return { version: app.details.sequence, wayBack: { read: GetAppByID, at: appParameters(app), of } };
}
