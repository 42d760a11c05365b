// The privileges that the instance grants to an app, independent of its owner. Only users who manage the whole service
// can change them, and while one is granted, only they can change the app.
import { useTranslations } from "next-intl";
import { SwitchField } from "../forms/fields";
import { withHint } from "../forms/with-hint";
import type { App, OidcConfig } from "./app";
import { AppForm } from "./app-form";

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
  return (
    <section className="card" aria-labelledby="vouching">
      <h2 id="vouching">{t("apps.vouching")}</h2>
      <p>{t("apps.vouchingText")}</p>
      <AppForm id="app-vouching" app={app} has={(name) => name === "trusted" || name === "allowManagementApi"}>
        <SwitchField name="trusted" {...withHint(t, "apps.trusted")} isOn={settings.trusted} />
        <SwitchField name="allowManagementApi" {...withHint(t, "apps.mayManage")} isOn={settings.allowManagementApi} />
      </AppForm>
    </section>
  );
}
