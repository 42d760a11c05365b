/** Sends mails by webhook: the receiver gets the parts of the text and sends the mail itself. */
import type { Context } from "../context";
import type { Webhook } from "../directory/provider/webhook";
import type { Transport } from "./transport";
import { callWebhook, type WebhookOptions } from "./webhook";

export function webhookTransport(ctx: Context, webhook: Webhook, options: WebhookOptions = {}): Transport {
  return {
    async send({ messageId, recipient, parts }) {
      if (!parts) return { outcome: "refused", permanent: true, answer: "the parts of the text are gone" };
      const { eventType, templateData, args } = parts;
      // The id without the Message-ID syntax: a full stop would be taken as a separator (Standard Webhooks 1.0).
      const id = /^<([^@>]+)@/.exec(messageId)?.[1] ?? messageId;
      const handed = { messageId: id, eventType, recipient: { recipientEmailAddress: recipient }, templateData, args };
      return callWebhook(ctx, webhook, handed, options);
    },
    close: () => {},
  };
}
