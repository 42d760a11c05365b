// The assertions that an app may sign with its own key, and the address of its published keys; shown next to the keys.
import { useTranslations } from "next-intl";
import { SwitchField, TextField } from "../forms/fields";
import { withHint } from "../forms/with-hint";
import type { App } from "./app";
import { AppForm } from "./app-form";

const SETTINGS: readonly string[] = ["legacyAssertionAudience", "allowAssertionReuse", "jwksUri"];

export function AssertionForm({ app, isReadOnly }: { app: App; isReadOnly: boolean }) {
  const t = useTranslations();
  const settings = app.oidcConfig ?? app.apiConfig;
  if (!settings) return null;
  const { legacyAssertionAudience, allowAssertionReuse, jwksUri } = settings;
  return (
    <section aria-labelledby="assertions">
      <h3 id="assertions">{t("apps.assertions")}</h3>
      <AppForm id="app-assertions" app={app} has={(name) => SETTINGS.includes(name)} isReadOnly={isReadOnly}>
        <SwitchField
          name="legacyAssertionAudience"
          {...withHint(t, "apps.legacyAssertionAudience")}
          isOn={legacyAssertionAudience}
        />
        <SwitchField
          name="allowAssertionReuse"
          {...withHint(t, "apps.allowAssertionReuse")}
          isOn={allowAssertionReuse}
        />
        <TextField name="jwksUri" type="url" {...withHint(t, "apps.jwksUri")} value={jwksUri} />
      </AppForm>
    </section>
  );
}
