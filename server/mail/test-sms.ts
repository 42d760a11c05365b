/**
 * The test of a provider of text messages: sends one marked message at once, with exactly this provider and bypassing
 * the queue, and returns the provider's response. The message goes to the given number, else to the caller's verified
 * one.
 */
import type { Caller } from "../access/caller";
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { phone, strict } from "../directory/fields";
import { checkPrivilegeOverMessages, type ProviderOwner, smsChannel } from "../directory/provider/channel";
import { readSettings } from "../directory/provider/form";
import { openProvider } from "../directory/provider/provider";
import { record } from "../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../protocol/api-error";
import { findRecipient } from "../storage/message/recipients";
import { composeMessage } from "./compose";
import { sendSms } from "./sms-transport";
import { countTrial } from "./trial-limit";
import type { WebhookOptions } from "./webhook";

export const smsReceiverSchema = strict({ recipientPhoneNumber: phone.optional() });

export interface TestSms {
  owner: ProviderOwner;
  providerId: string;
  body: unknown;
  /** The client's IP address. */
  address?: string;
  requestId?: string;
}

const TYPE = "verifyphone";

/** Tests one provider, active or not. The caller must be allowed to change the owner's settings. */
export async function testSmsProvider(
  ctx: Context,
  caller: Caller,
  { owner, providerId, body, address, requestId }: TestSms,
  options: WebhookOptions = {},
): Promise<{ recipient: string; answer: string } | ApiError> {
  const given = readSettings(smsChannel, smsReceiverSchema, body ?? {});
  if (isApiError(given)) return given;
  const row = await smsChannel.rows.find(ctx.db, owner.ownerId, providerId);
  const provider = row && openProvider(ctx, row);
  if (!provider) return smsChannel.noProvider();
  const recipient = given.recipientPhoneNumber ?? (await ownNumber(ctx, caller.userId));
  if (recipient === undefined) {
    return failedPrecondition(
      "user.no_verified_phone",
      "You have no verified phone number: send recipientPhoneNumber.",
    );
  }
  const refusal =
    (await checkPrivilegeOverMessages(ctx, caller.userId, owner)) ?? (await countTrial(ctx, caller.userId, address));
  if (refusal) return refusal;
  const organizationId = owner.level === "organization" ? owner.ownerId : undefined;
  const composed = await composeMessage(ctx, { type: TYPE, organizationId, isTest: true, sample: "usual" });
  if (typeof composed === "string") throw new Error(composed); // a sample has no code that could be lost
  const { phoneText: text, args, language } = composed;
  await record(
    { ...ctx, origin: { actor: caller.userId, requestId } },
    {
      type: "user.trial_message.requested",
      object: { id: caller.userId, organizationId: caller.organizationId },
      state: async () => ({ payload: { messageType: TYPE, language } }),
    },
  );
  const { sender } = provider;
  const sms = { channel: "sms", messageId: newId(), date: ctx.clock(), sender, recipient, text, args } as const;
  const delivery = await sendSms(ctx, provider, { ...sms, eventType: TYPE }, options);
  if (delivery.outcome === "sent") return { recipient, answer: delivery.answer };
  const reason = delivery.outcome === "kept" ? "no provider is set" : delivery.answer;
  return failedPrecondition("sms_provider.test_failed", `The text message was not sent: ${reason}`);
}

async function ownNumber(ctx: Context, userId: string): Promise<string | undefined> {
  const person = await findRecipient(ctx.db, userId);
  return person?.phone && person.isPhoneVerified ? person.phone : undefined;
}
