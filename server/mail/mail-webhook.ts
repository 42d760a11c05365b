/** Mails by webhook: whoever answers there gets the parts of the text and sends the mail in a way of their own. */
import type { Context } from "../context";
import type { Webhook } from "../directory/provider/webhook";
import type { Transport } from "./transport";
import { callWebhook, type WebhookOptions } from "./webhook";

export function webhookTransport(ctx: Context, webhook: Webhook, options: WebhookOptions = {}): Transport {
  return {
    async send({ messageId, recipient, parts }) {
      if (!parts) return { outcome: "refused", permanent: true, answer: "the parts of the text are gone" };
      const { eventType, templateData, args } = parts;
      // The id without what makes a Message-ID of it: a full stop would be taken for the end (Standard Webhooks 1.0).
      const id = /^<([^@>]+)@/.exec(messageId)?.[1] ?? messageId;
      const handed = { messageId: id, eventType, recipient: { recipientEmailAddress: recipient }, templateData, args };
      return callWebhook(ctx, webhook, handed, options);
    },
    close: () => {},
  };
}
