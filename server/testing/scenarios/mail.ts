/** One mail on its way, and a server of the organization's own. */
import type { Memory, Step } from "./step";

const parameters = ({ messageId = "" }: Memory) => ({ id: messageId });

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
  { operation: "TestInstanceMailSettings", body: {}, refused: "mail_settings.not_found" },
  { operation: "TestMailSettings", body: {}, refused: "mail_settings.not_found" },
  { operation: "SetMailSettings", body: { smtpUrl: "smtps://mailer@mail.acme.test", sender: "ACME <mail@acme.test>" } },
  { operation: "GetMailSettings" },
  { operation: "RemoveMailSettings" },
];
