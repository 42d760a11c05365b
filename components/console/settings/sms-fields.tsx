// The fields of a text message provider, for adding and changing it.
import { useTranslations } from "next-intl";
import type { Schemas } from "../../../server/api/generated/operations";
import { TextField } from "../forms/fields";
import { DescriptionField } from "./provider-parts";

export type SmsProviderView = Schemas["SMSProvider"];

export interface TwilioFieldsProps {
  /** Undefined when the provider is added. */
  twilio?: SmsProviderView["twilio"];
  description?: string;
}

export function TwilioFields({ twilio, description }: TwilioFieldsProps) {
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
        label={t("settings.smsSender")}
        hint={t("settings.smsSenderHint")}
        value={twilio?.senderNumber}
        required
        maxLength={50}
      />
      <TextField name="baseUrl" label={t("settings.smsBaseUrl")} type="url" value={twilio?.baseUrl} maxLength={2000} />
      <DescriptionField value={description} />
    </>
  );
}
