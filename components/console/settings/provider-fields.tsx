// The fields of a provider of each kind, for adding and changing it.
import { useTranslations } from "next-intl";
import { SwitchField, TextField } from "../forms/fields";
import { withHint } from "../forms/with-hint";
import type { MessageProvider } from "./provider-operations";
import { ServerKeyFields } from "./server-key-fields";

export function ServerFields({ smtp, description }: Partial<MessageProvider>) {
  const t = useTranslations();
  return (
    <>
      <TextField name="host" {...withHint(t, "settings.mailHost")} value={smtp?.host} required maxLength={300} />
      <SwitchField name="tls" label={t("settings.mailTls")} isOn={smtp?.tls ?? true} />
      <TextField name="user" label={t("settings.mailUser")} value={smtp?.user} maxLength={300} keepsEmpty />
      <TextField
        name="password"
        label={t("settings.password")}
        hint={smtp?.hasPassword && t("settings.mailPasswordKept")}
        type="password"
        autoComplete="new-password"
        maxLength={500}
      />
      <TextField
        name="senderAddress"
        label={t("settings.mailSenderAddress")}
        inputMode="email"
        value={smtp?.senderAddress}
        required
        maxLength={200}
      />
      <TextField
        name="senderName"
        label={t("settings.mailSenderName")}
        value={smtp?.senderName}
        maxLength={200}
        keepsEmpty
      />
      <TextField
        name="replyToAddress"
        label={t("settings.mailReplyTo")}
        inputMode="email"
        value={smtp?.replyToAddress}
        maxLength={200}
        keepsEmpty
      />
      <ServerKeyFields xoauth2={smtp?.xoauth2} dkim={smtp?.dkim} />
      <DescriptionField value={description} />
    </>
  );
}

export function TwilioFields({ twilio, description }: Partial<MessageProvider>) {
  const t = useTranslations();
  return (
    <>
      <TextField name="sid" label={t("settings.smsAccount")} value={twilio?.sid} required maxLength={100} />
      <TextField
        name="token"
        label={t("settings.smsToken")}
        hint={twilio && t("settings.smsTokenKept")}
        type="password"
        autoComplete="new-password"
        required={!twilio}
        maxLength={500}
      />
      <TextField
        name="senderNumber"
        {...withHint(t, "settings.smsSender")}
        value={twilio?.senderNumber}
        required
        maxLength={50}
      />
      <TextField name="baseUrl" label={t("settings.smsBaseUrl")} type="url" value={twilio?.baseUrl} maxLength={2000} />
      <DescriptionField value={description} />
    </>
  );
}

export function WebhookFields({ http, description }: Partial<MessageProvider>) {
  const t = useTranslations();
  return (
    <>
      <TextField
        name="endpoint"
        {...withHint(t, "settings.smsEndpoint")}
        type="url"
        value={http?.endpoint}
        required
        maxLength={2000}
      />
      <DescriptionField value={description} />
    </>
  );
}

function DescriptionField({ value }: { value?: string }) {
  const t = useTranslations();
  return <TextField name="description" label={t("directory.description")} value={value} maxLength={200} keepsEmpty />;
}
