// The operations on the providers of each channel, at each level.
import type { Schemas } from "../../../server/api/generated/operations";
import * as operations from "../../../shared/generated/operations";

export const PROVIDER_OPERATIONS = {
  email: {
    instance: {
      add: operations.AddInstanceEmailProviderSMTP,
      change: operations.UpdateInstanceEmailProviderSMTP,
      addWebhook: operations.AddInstanceEmailProviderHTTP,
      changeWebhook: operations.UpdateInstanceEmailProviderHTTP,
      read: operations.GetInstanceEmailProviderById,
      test: operations.TestInstanceEmailProvider,
      activate: operations.ActivateInstanceEmailProvider,
      deactivate: operations.DeactivateInstanceEmailProvider,
      remove: operations.RemoveInstanceEmailProvider,
    },
    organization: {
      add: operations.AddEmailProviderSMTP,
      change: operations.UpdateEmailProviderSMTP,
      addWebhook: operations.AddEmailProviderHTTP,
      changeWebhook: operations.UpdateEmailProviderHTTP,
      read: operations.GetEmailProviderById,
      test: operations.TestEmailProvider,
      activate: operations.ActivateEmailProvider,
      deactivate: operations.DeactivateEmailProvider,
      remove: operations.RemoveEmailProvider,
    },
  },
  sms: {
    instance: {
      add: operations.AddInstanceSMSProviderTwilio,
      change: operations.UpdateInstanceSMSProviderTwilio,
      addWebhook: operations.AddInstanceSMSProviderHTTP,
      changeWebhook: operations.UpdateInstanceSMSProviderHTTP,
      read: operations.GetInstanceSMSProviderById,
      test: operations.TestInstanceSMSProvider,
      activate: operations.ActivateInstanceSMSProvider,
      deactivate: operations.DeactivateInstanceSMSProvider,
      remove: operations.RemoveInstanceSMSProvider,
    },
    organization: {
      add: operations.AddSMSProviderTwilio,
      change: operations.UpdateSMSProviderTwilio,
      addWebhook: operations.AddSMSProviderHTTP,
      changeWebhook: operations.UpdateSMSProviderHTTP,
      read: operations.GetSMSProviderById,
      test: operations.TestSMSProvider,
      activate: operations.ActivateSMSProvider,
      deactivate: operations.DeactivateSMSProvider,
      remove: operations.RemoveSMSProvider,
    },
  },
} as const;

export type MessageChannel = keyof typeof PROVIDER_OPERATIONS;
export type ProviderLevelName = keyof (typeof PROVIDER_OPERATIONS)["email"];
export type ProviderCalls = (typeof PROVIDER_OPERATIONS)[MessageChannel][ProviderLevelName];

/** A provider of any channel. */
export type MessageProvider = Pick<Schemas["EmailProvider"], "id" | "description" | "smtp" | "http"> &
  Pick<Schemas["SMSProvider"], "twilio"> & { state: string };
