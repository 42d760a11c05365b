/**
 * Sends text messages: by an account at Twilio, or by a webhook with signed requests. The recipient is one validated
 * number.
 */
import type { Context } from "../context";
import { phone } from "../directory/fields";
import type { TwilioAddress } from "../directory/provider/address";
import { isKind, type Provider } from "../directory/provider/provider";
import type { Delivery } from "./transport";
import { call, callWebhook, isAccepted, oneLine, refused, unreachable, type WebhookOptions } from "./webhook";

/** A text message as it is sent and stored. */
export interface OutgoingSms {
  channel: "sms";
  /** Equal at every attempt, so that webhook receivers can detect duplicates. */
  messageId: string;
  /** When the message was created, in epoch milliseconds. */
  date: number;
  /** The number or name that phones show; empty: the provider decides. */
  sender: string;
  recipient: string;
  text: string;
  eventType: string;
  /** The values inserted in the text, by name in lower camel case. */
  args: Readonly<Record<string, string>>;
}

/** Sends a message; never throws. */
export async function sendSms(
  ctx: Context,
  provider: Provider,
  sms: OutgoingSms,
  options: WebhookOptions = {},
): Promise<Delivery> {
  if (!phone.safeParse(sms.recipient).success) {
    return { outcome: "refused", permanent: true, answer: "the recipient is not one phone number" };
  }
  if (isKind(provider, "twilio")) return toTwilio(ctx, provider.address, sms, options);
  if (!isKind(provider, "http")) return { outcome: "kept" };
  const { messageId, recipient, text, eventType, args } = sms;
  const handed = { messageId, eventType, recipient: { recipientPhoneNumber: recipient }, templateData: { text }, args };
  return callWebhook(ctx, provider, handed, options);
}

/** Calls Twilio, "Create a Message resource": a form with Basic authentication (RFC 7617). */
async function toTwilio(
  ctx: Context,
  { baseUrl, sid, token }: TwilioAddress,
  { recipient, sender, text }: OutgoingSms,
  options: WebhookOptions,
): Promise<Delivery> {
  const url = `${baseUrl.replace(/\/+$/, "")}/2010-04-01/Accounts/${encodeURIComponent(sid)}/Messages.json`;
  const body = new URLSearchParams({ To: recipient, From: sender, Body: text }).toString();
  const authorization = `Basic ${Buffer.from(`${sid}:${token}`).toString("base64")}`;
  const headers = { "content-type": "application/x-www-form-urlencoded", authorization };
  const outcome = await call(ctx, url, { body, headers }, options);
  if ("error" in outcome) return unreachable(outcome.error);
  const answered = objectIn(outcome.text);
  if (!isAccepted(outcome.status)) return refused(outcome.status, wordIn(answered.code), wordIn(answered.message));
  const id = wordIn(answered.sid);
  // A captive portal may respond with 200 to anything, but 201 (RFC 9110 §15.3.2) means that a resource was created.
  if (id === "" && outcome.status !== 201)
    return unreachable(`${outcome.status}, but no message was created: the answer is not Twilio's`);
  return { outcome: "sent", answer: oneLine(`${outcome.status} ${wordIn(answered.status)} ${id}`).trim() };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const wordIn = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value).slice(0, 300) : "";
