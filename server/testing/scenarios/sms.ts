/** The life of SMS providers. There are no connections: test messages get no response. */
import type { Memory, Step } from "./step";

const NOWHERE = "http://127.0.0.1:9";
const TWILIO = { sid: "AC0123456789abcdef", token: "s3cret-t0ken", senderNumber: "+15550001111", baseUrl: NOWHERE };

const keepProvider = ({ id }: { id: string }, memory: Memory) => Object.assign(memory, { providerId: id });
const parameters = ({ providerId = "" }: Memory) => ({ id: providerId });

const providerSteps = (level: "" | "Instance"): Step[] => [
  { operation: `Add${level}SMSProviderTwilio`, body: TWILIO, keep: keepProvider },
  {
    operation: `Update${level}SMSProviderTwilio`,
    parameters,
    body: { ...TWILIO, token: "", description: "Corrected" },
  },
  { operation: `Update${level}SMSProviderTwilioToken`, parameters, body: { token: "an0ther" } },
  {
    operation: `Test${level}SMSProvider`,
    parameters,
    body: { recipientPhoneNumber: "+15551234567" },
    refused: "sms_provider.test_failed",
  },
  { operation: `Activate${level}SMSProvider`, parameters },
  { operation: `List${level}SMSProviders`, body: {} },
  { operation: `Get${level}SMSProvider` },
  { operation: `Get${level}SMSProviderById`, parameters },
  { operation: `Deactivate${level}SMSProvider`, parameters },
  { operation: `Remove${level}SMSProvider`, parameters },
  { operation: `Add${level}SMSProviderHTTP`, body: { endpoint: NOWHERE, description: "Ours" }, keep: keepProvider },
  {
    operation: `Update${level}SMSProviderHTTP`,
    parameters,
    body: { endpoint: NOWHERE, expirationSigningKey: "0s" },
  },
];

export const smsSteps: Step[] = [...providerSteps("Instance"), ...providerSteps("")];
