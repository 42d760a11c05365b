// The operations on the providers of each channel, at each level.
import type { Schemas } from "../../../server/api/generated/operations";
import {
  ActivateEmailProvider,
  ActivateInstanceEmailProvider,
  ActivateInstanceSMSProvider,
  ActivateSMSProvider,
  AddEmailProviderHTTP,
  AddEmailProviderSMTP,
  AddInstanceEmailProviderHTTP,
  AddInstanceEmailProviderSMTP,
  AddInstanceSMSProviderHTTP,
  AddInstanceSMSProviderTwilio,
  AddSMSProviderHTTP,
  AddSMSProviderTwilio,
  DeactivateEmailProvider,
  DeactivateInstanceEmailProvider,
  DeactivateInstanceSMSProvider,
  DeactivateSMSProvider,
  GetEmailProviderById,
  GetInstanceEmailProviderById,
  GetInstanceSMSProviderById,
  GetSMSProviderById,
  RemoveEmailProvider,
  RemoveInstanceEmailProvider,
  RemoveInstanceSMSProvider,
  RemoveSMSProvider,
  TestEmailProvider,
  TestInstanceEmailProvider,
  TestInstanceSMSProvider,
  TestSMSProvider,
  UpdateEmailProviderHTTP,
  UpdateEmailProviderSMTP,
  UpdateInstanceEmailProviderHTTP,
  UpdateInstanceEmailProviderSMTP,
  UpdateInstanceSMSProviderHTTP,
  UpdateInstanceSMSProviderTwilio,
  UpdateSMSProviderHTTP,
  UpdateSMSProviderTwilio,
} from "../../../shared/generated/operations";

export const PROVIDER_OPERATIONS = {
  email: {
    instance: {
      add: AddInstanceEmailProviderSMTP,
      change: UpdateInstanceEmailProviderSMTP,
      addWebhook: AddInstanceEmailProviderHTTP,
      changeWebhook: UpdateInstanceEmailProviderHTTP,
      read: GetInstanceEmailProviderById,
      test: TestInstanceEmailProvider,
      activate: ActivateInstanceEmailProvider,
      deactivate: DeactivateInstanceEmailProvider,
      remove: RemoveInstanceEmailProvider,
    },
    organization: {
      add: AddEmailProviderSMTP,
      change: UpdateEmailProviderSMTP,
      addWebhook: AddEmailProviderHTTP,
      changeWebhook: UpdateEmailProviderHTTP,
      read: GetEmailProviderById,
      test: TestEmailProvider,
      activate: ActivateEmailProvider,
      deactivate: DeactivateEmailProvider,
      remove: RemoveEmailProvider,
    },
  },
  sms: {
    instance: {
      add: AddInstanceSMSProviderTwilio,
      change: UpdateInstanceSMSProviderTwilio,
      addWebhook: AddInstanceSMSProviderHTTP,
      changeWebhook: UpdateInstanceSMSProviderHTTP,
      read: GetInstanceSMSProviderById,
      test: TestInstanceSMSProvider,
      activate: ActivateInstanceSMSProvider,
      deactivate: DeactivateInstanceSMSProvider,
      remove: RemoveInstanceSMSProvider,
    },
    organization: {
      add: AddSMSProviderTwilio,
      change: UpdateSMSProviderTwilio,
      addWebhook: AddSMSProviderHTTP,
      changeWebhook: UpdateSMSProviderHTTP,
      read: GetSMSProviderById,
      test: TestSMSProvider,
      activate: ActivateSMSProvider,
      deactivate: DeactivateSMSProvider,
      remove: RemoveSMSProvider,
    },
  },
} as const;

export type MessageChannel = keyof typeof PROVIDER_OPERATIONS;
export type ProviderLevelName = keyof (typeof PROVIDER_OPERATIONS)["email"];
export type ProviderCalls = (typeof PROVIDER_OPERATIONS)[MessageChannel][ProviderLevelName];

/** A provider of any channel. */
export type MessageProvider = Pick<Schemas["EmailProvider"], "id" | "description" | "smtp" | "http"> &
  Pick<Schemas["SMSProvider"], "twilio"> & { state: string };
