// The assertions that an app may sign with its own key, and the address of its published keys; shown next to the keys.
import { useTranslations } from "next-intl";
import { UpdateAPIAppConfig, UpdateOIDCAppConfig } from "../../../shared/generated/operations";
import { ActionForm } from "../forms/action-form";
import { SwitchField, TextField } from "../forms/fields";
import { withHint } from "../forms/with-hint";
import { type App, appParameters, settingsToSend } from "./app";
import { reviewOf } from "./review";

export interface AssertionFormProps {
  app: App;
  isReadOnly: boolean;
}

export function AssertionForm({ app, isReadOnly }: AssertionFormProps) {
  const t = useTranslations();
  const settings = app.oidcConfig ?? app.apiConfig;
  if (!settings) return null;
  const {
    legacyAssertionAudience: _legacy,
    allowAssertionReuse: _reuse,
    jwksUri: _uri,
    ...kept
  } = settingsToSend(settings);
  return (
    <section aria-labelledby="assertions">
      <h3 id="assertions">{t("apps.assertions")}</h3>
      <ActionForm
        id="app-assertions"
        operation={app.oidcConfig ? UpdateOIDCAppConfig : UpdateAPIAppConfig}
        at={appParameters(app)}
        body={kept}
        done={t("apps.saved")}
        review={reviewOf(app)}
        isReadOnly={isReadOnly}
      >
        <fieldset className="plain-fieldset" disabled={isReadOnly}>
          <SwitchField
            name="legacyAssertionAudience"
            {...withHint(t, "apps.legacyAssertionAudience")}
            isOn={settings.legacyAssertionAudience}
          />
          <SwitchField
            name="allowAssertionReuse"
            {...withHint(t, "apps.allowAssertionReuse")}
            isOn={settings.allowAssertionReuse}
          />
          <TextField name="jwksUri" type="url" {...withHint(t, "apps.jwksUri")} value={settings.jwksUri} />
        </fieldset>
      </ActionForm>
    </section>
  );
}
