// The privileges that the instance grants to an app, independent of its owner. Only users who manage the whole service
// can change them, and while one is granted, only they can change the app.
import { useTranslations } from "next-intl";
import { UpdateOIDCAppConfig } from "../../../shared/generated/operations";
import { ActionForm } from "../forms/action-form";
import { SwitchField } from "../forms/fields";
import { withHint } from "../forms/with-hint";
import { type App, appParameters, type OidcConfig, settingsToSend } from "./app";
import { reviewOf } from "./review";

/** Whether the app has a privilege of the instance. */
export const isVouchedFor = ({ oidcConfig: oidc }: App): boolean =>
  oidc !== undefined && (oidc.trusted || oidc.allowManagementApi);

/** Badges for lists and headings that show the privileges of the app. */
export function VouchingBadges({ app: { oidcConfig: oidc } }: { app: App }) {
  const t = useTranslations();
  return (
    <>
      {oidc?.trusted && <span className="state">{t("apps.trusted")}</span>}
      {oidc?.allowManagementApi && <span className="state">{t("apps.mayManage")}</span>}
    </>
  );
}

export function VouchingForm({ app, settings }: { app: App; settings: OidcConfig }) {
  const t = useTranslations();
  const { trusted: _trusted, allowManagementApi: _allowed, ...kept } = settingsToSend(settings);
  return (
    <section className="card" aria-labelledby="vouching">
      <h2 id="vouching">{t("apps.vouching")}</h2>
      <p>{t("apps.vouchingText")}</p>
      <ActionForm
        id="app-vouching"
        operation={UpdateOIDCAppConfig}
        at={appParameters(app)}
        body={kept}
        done={t("apps.saved")}
        review={reviewOf(app)}
      >
        <SwitchField name="trusted" {...withHint(t, "apps.trusted")} isOn={settings.trusted} />
        <SwitchField name="allowManagementApi" {...withHint(t, "apps.mayManage")} isOn={settings.allowManagementApi} />
      </ActionForm>
    </section>
  );
}
