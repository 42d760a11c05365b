/** A waiting email, and an email provider of the organization. */
import type { Memory, Step } from "./step";

const parameters = ({ messageId = "" }: Memory) => ({ id: messageId });

const SERVER = {
  senderAddress: "mail@acme.test",
  senderName: "ACME",
  replyToAddress: "help@acme.test",
  tls: true,
  host: "mail.acme.test:587",
  user: "mailer",
  password: "s3cret-p4ss",
  description: "The usual one",
};
const keepProvider = ({ id }: { id: string }, memory: Memory) => Object.assign(memory, { providerId: id });
const provider = ({ providerId = "" }: Memory) => ({ id: providerId });

/** The life of a provider at one level. There are no connections: tests have no mail server on the public Internet. */
const providerSteps = (level: "" | "Instance"): Step[] => [
  { operation: `Add${level}EmailProviderSMTP`, body: SERVER, keep: keepProvider },
  {
    operation: `Update${level}EmailProviderSMTP`,
    parameters: provider,
    body: { ...SERVER, password: "", description: "Corrected" },
  },
  { operation: `Update${level}EmailProviderSMTPPassword`, parameters: provider, body: { password: "an0ther" } },
  {
    operation: `Test${level}EmailProviderSMTP`,
    body: { ...SERVER, host: "127.0.0.1:25", receiverAddress: "help@acme.test" },
    refused: "mail_settings.test_failed",
  },
  {
    operation: `Test${level}EmailProvider`,
    parameters: provider,
    body: { receiverAddress: "help@acme.test" },
    refused: "mail_settings.test_failed",
  },
  { operation: `Activate${level}EmailProvider`, parameters: provider },
  { operation: `List${level}EmailProviders`, body: {} },
  { operation: `Get${level}EmailProvider` },
  { operation: `Get${level}EmailProviderById`, parameters: provider },
  { operation: `Deactivate${level}EmailProvider`, parameters: provider },
  { operation: `Remove${level}EmailProvider`, parameters: provider },
  {
    operation: `Add${level}EmailProviderHTTP`,
    body: { endpoint: "https://hook.acme.test/", description: "Ours" },
    keep: keepProvider,
  },
  {
    operation: `Update${level}EmailProviderHTTP`,
    parameters: provider,
    body: { endpoint: "https://hook.acme.test/mail", expirationSigningKey: "0s" },
  },
];

export const mailSteps: Step[] = [
  { operation: "SendHumanResetPasswordNotification", parameters: { userId: "u-ada" } },
  { operation: "ListInstanceMessages", query: { limit: "5" } },
  {
    operation: "ListMessages",
    as: "colleague",
    keep: ({ messages }, memory) => Object.assign(memory, { messageId: messages[0].id }),
  },
  { operation: "GetInstanceMessage", parameters },
  { operation: "GetMessage", as: "colleague", parameters },
  { operation: "RetryInstanceMessage", parameters, refused: "message.not_failed" },
  { operation: "RetryMessage", parameters, refused: "message.not_failed" },
  { operation: "RetryInstanceMessages", body: { recipient: "ada@", organizationId: "acme" } },
  { operation: "RetryMessages", body: { type: "passwordreset", state: "failed" } },
  { operation: "TestInstanceMailSettings", body: {}, refused: "mail_settings.not_found" },
  { operation: "TestMailSettings", body: {}, refused: "mail_settings.not_found" },
  { operation: "SetMailSettings", body: { smtpUrl: "smtps://mailer@mail.acme.test", sender: "ACME <mail@acme.test>" } },
  { operation: "GetMailSettings" },
  { operation: "RemoveMailSettings" },
  ...providerSteps("Instance"),
  ...providerSteps(""),
  { operation: "AddInstanceEmailProviderSMTP", body: SERVER, keep: keepProvider },
  { operation: "ActivateInstanceEmailProvider", parameters: provider },
  { operation: "ListSMTPConfigs", body: {} },
  { operation: "GetSMTPConfig" },
  { operation: "GetSMTPConfigById", parameters: provider },
];
