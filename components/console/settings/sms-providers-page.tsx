// The providers that send text messages, of the service or of an organization. Secrets are never shown again.

import { useTranslations } from "next-intl";
import {
  ActivateInstanceSMSProvider,
  ActivateSMSProvider,
  AddInstanceSMSProviderHTTP,
  AddInstanceSMSProviderTwilio,
  AddSMSProviderHTTP,
  AddSMSProviderTwilio,
  DeactivateInstanceSMSProvider,
  DeactivateSMSProvider,
  GetInstanceSMSProviderById,
  GetSMSProviderById,
  RemoveInstanceSMSProvider,
  RemoveSMSProvider,
  TestInstanceSMSProvider,
  TestSMSProvider,
  UpdateInstanceSMSProviderHTTP,
  UpdateInstanceSMSProviderTwilio,
  UpdateSMSProviderHTTP,
  UpdateSMSProviderTwilio,
} from "../../../shared/generated/operations";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { AddWebhook, ProviderCard } from "./provider-parts";
import { type SmsProviderView, TwilioFields } from "./sms-fields";

const OPERATIONS = {
  instance: {
    activate: ActivateInstanceSMSProvider,
    deactivate: DeactivateInstanceSMSProvider,
    remove: RemoveInstanceSMSProvider,
    test: TestInstanceSMSProvider,
    read: GetInstanceSMSProviderById,
    addTwilio: AddInstanceSMSProviderTwilio,
    changeTwilio: UpdateInstanceSMSProviderTwilio,
    addWebhook: AddInstanceSMSProviderHTTP,
    changeWebhook: UpdateInstanceSMSProviderHTTP,
  },
  organization: {
    activate: ActivateSMSProvider,
    deactivate: DeactivateSMSProvider,
    remove: RemoveSMSProvider,
    test: TestSMSProvider,
    read: GetSMSProviderById,
    addTwilio: AddSMSProviderTwilio,
    changeTwilio: UpdateSMSProviderTwilio,
    addWebhook: AddSMSProviderHTTP,
    changeWebhook: UpdateSMSProviderHTTP,
  },
} as const;
type Level = keyof typeof OPERATIONS;

export interface SmsProvidersPageProps {
  level: Level;
  providers: readonly SmsProviderView[];
  mayWrite: boolean;
}

export function SmsProvidersPage({ level, providers, mayWrite }: SmsProvidersPageProps) {
  const t = useTranslations();
  const { addTwilio, addWebhook } = OPERATIONS[level];
  return (
    <>
      <h1>{t(level === "instance" ? "pages.instance_sms" : "pages.sms")}</h1>
      {!providers.some(isActive) && <p>{t(level === "instance" ? "settings.smsKept" : "settings.smsInherited")}</p>}
      {mayWrite && (
        <div className="buttons">
          <FormDialog
            submit={t("settings.save")}
            done={t("settings.saved")}
            id="add-twilio"
            label={t("settings.smsAddTwilio")}
            title={t("settings.smsAddTwilio")}
            operation={addTwilio}
          >
            <TwilioFields />
          </FormDialog>
          <AddWebhook operation={addWebhook} />
        </div>
      )}
      {providers.map((provider) => (
        <Provider key={provider.id} level={level} provider={provider} mayWrite={mayWrite} />
      ))}
    </>
  );
}

const isActive = ({ state }: SmsProviderView): boolean => state === "SMS_PROVIDER_CONFIG_ACTIVE";

/** Returns the name of a provider: its description, else its number or endpoint. */
const nameOf = ({ description, twilio, http }: SmsProviderView): string =>
  description || twilio?.senderNumber || http?.endpoint || "";

function Provider({ level, provider, mayWrite }: { level: Level; provider: SmsProviderView; mayWrite: boolean }) {
  const t = useTranslations();
  const operations = OPERATIONS[level];
  const { id, twilio, http, description } = provider;
  const at = { id };
  return (
    <ProviderCard
      id={id}
      name={nameOf(provider)}
      isActive={isActive(provider)}
      operations={operations}
      mayWrite={mayWrite}
      webhook={http && { ...http, description }}
      facts={[
        [t("settings.smsAccount"), twilio && <code>{twilio.sid}</code>],
        [t("settings.smsSender"), twilio && <code>{twilio.senderNumber}</code>],
        [t("settings.smsBaseUrl"), twilio && <code>{twilio.baseUrl}</code>],
        [t("settings.smsEndpoint"), http && <code>{http.endpoint}</code>],
      ]}
    >
      <FormDialog
        at={at}
        id={`test-${id}`}
        label={t("settings.smsTry")}
        title={t("settings.smsTry")}
        description={t("settings.smsTryText")}
        submit={t("settings.smsTry")}
        operation={operations.test}
        done={t("settings.smsTried")}
      >
        <TextField
          name="recipientPhoneNumber"
          label={t("directory.phone")}
          hint={t("directory.phoneHint")}
          type="tel"
          required
        />
      </FormDialog>
      {twilio && (
        <FormDialog
          at={at}
          id={`change-${id}`}
          label={t("directory.change")}
          title={nameOf(provider)}
          submit={t("settings.save")}
          done={t("settings.saved")}
          operation={operations.changeTwilio}
          review={{
            wayBack: {
              read: operations.read,
              at,
              of: ["config", "config.twilio"],
              lost: ["token", "baseUrl"], // the token is only kept with the address that it was set for
            },
          }}
        >
          <TwilioFields twilio={twilio} description={description} />
        </FormDialog>
      )}
    </ProviderCard>
  );
}
