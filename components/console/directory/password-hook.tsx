// The address in another system that is asked for the passwords of imported users.
import { useTranslations } from "next-intl";
import { RemovePasswordHook, SetPasswordHook } from "../../../shared/generated/operations";
import { ConfirmButton } from "../dialogs/confirm-button";
import { SwitchField, TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { Facts } from "../parts/facts";

/** @param endpoint undefined if the organization has no hook */
export function PasswordHookCard({ endpoint }: { endpoint: string | undefined }) {
  const t = useTranslations();
  const title = t(endpoint === undefined ? "directory.hookAdd" : "directory.hookChange");
  return (
    <section className="card" aria-labelledby="password-hook">
      <h2 id="password-hook">{t("directory.hook")}</h2>
      <p>{t("directory.hookText")}</p>
      {endpoint !== undefined && (
        <Facts facts={[[t("settings.smsEndpoint"), <code key="endpoint">{endpoint}</code>]]} />
      )}
      <div className="buttons">
        <FormDialog
          id="set-hook"
          label={title}
          submit={t("settings.save")}
          done={t("settings.saved")}
          operation={SetPasswordHook}
          reveal={{
            title: t("settings.smsKey"),
            text: t("settings.smsKeyText"),
            fileName: "password-hook.env",
            values: [{ name: "signingKey", label: t("settings.smsKey"), variable: "WEBHOOK_SECRET" }],
          }}
        >
          <TextField
            name="endpoint"
            label={t("settings.smsEndpoint")}
            value={endpoint}
            type="url"
            required
            maxLength={2000}
          />
          {endpoint !== undefined && (
            <SwitchField name="renewSigningKey" label={t("directory.hookRenew")} isOn={false} />
          )}
        </FormDialog>
        {endpoint !== undefined && (
          <ConfirmButton
            id="remove-hook"
            triggerLook="plain"
            label={t("directory.remove")}
            title={t("directory.hookRemove")}
            text={t("directory.hookRemoveText")}
            operation={RemovePasswordHook}
            done={t("settings.saved")}
          />
        )}
      </div>
    </section>
  );
}
