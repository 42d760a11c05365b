// How an organization sends its mails: by its own mail server, or by that of the service. The saved password is never
// shown again.

import { useTranslations } from "next-intl";
import type { AnswerOf } from "../../../shared/declared";
import { RemoveMailSettings, SetMailSettings } from "../../../shared/generated/operations";
import { ConfirmButton } from "../dialogs/confirm-button";
import { ActionForm } from "../forms/action-form";
import { TextField } from "../forms/fields";
import { withHint } from "../forms/with-hint";
import { Facts } from "../parts/facts";
import { MailTest } from "./mail-test";
import type { MessageProvider } from "./provider-operations";
import { Providers } from "./providers";

export type MailSettingsView = AnswerOf<"GetMailSettings">["mailSettings"];

export interface MailSettingsPageProps {
  /** Undefined if the organization has no mail server of its own. */
  settings: MailSettingsView | undefined;
  /** The organization's mail servers and webhooks, of which one may be active. */
  providers: readonly MessageProvider[];
  mayWrite: boolean;
}

export function MailSettingsPage({ settings, providers, mayWrite }: MailSettingsPageProps) {
  const t = useTranslations();
  return (
    <>
      <div className="head">
        <h1>{t("pages.mail_settings")}</h1>
        <span className={settings ? "state good" : "state"}>{t(settings ? "settings.own" : "settings.inherited")}</span>
      </div>
      {settings?.isBypassed && <p className="banner">{t("settings.mailBypassed")}</p>}
      {settings && (
        <Facts
          facts={[
            [
              t("settings.mailServer"),
              <code key="host">{[settings.host, settings.port].filter(Boolean).join(":")}</code>,
            ],
            [t("settings.mailUser"), settings.user && <code>{settings.user}</code>],
            [t("settings.password"), t(settings.hasPassword ? "settings.hasPassword" : "settings.hasNoPassword")],
            [t("settings.sender"), <code key="sender">{settings.sender}</code>],
          ]}
        />
      )}
      {mayWrite && (
        <>
          <MailTest />
          <section className="card" aria-labelledby="change">
            <h2 id="change">{t(settings ? "settings.changeMail" : "settings.setMail")}</h2>
            <ActionForm
              id="mail-settings"
              submit={t("settings.save")}
              operation={SetMailSettings}
              done={t("settings.saved")}
              // The previous settings contain a password that cannot be read, so the change cannot be undone.
              review={{}}
              beside={
                settings && (
                  <ConfirmButton
                    id="reset-mail"
                    look="primary"
                    triggerLook="plain"
                    label={t("settings.inherit")}
                    title={t("settings.inheritTitle", { name: t("pages.mail_settings") })}
                    text={<p>{t("settings.inheritMail")}</p>}
                    operation={RemoveMailSettings}
                    done={t("settings.saved")}
                  />
                )
              }
            >
              <TextField
                name="smtpUrl"
                {...withHint(t, "settings.smtpUrl")}
                type="password"
                autoComplete="new-password"
                required
                maxLength={1000}
              />
              <TextField
                name="sender"
                {...withHint(t, "settings.sender")}
                value={settings?.sender}
                required
                maxLength={300}
              />
            </ActionForm>
          </section>
        </>
      )}
      <h2>{t("settings.mailProviders")}</h2>
      <Providers channel="email" level="organization" providers={providers} mayWrite={mayWrite} />
    </>
  );
}
