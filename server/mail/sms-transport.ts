/**
 * How text messages leave: to an account at Twilio, or to a webhook with signed requests. The recipient is one validated
 * number. A provider may answer anything or nothing: what is not clearly accepted is an attempt that failed, and whether
 * it is made again depends on whose fault it was.
 */
import { Webhook } from "standardwebhooks";
import type { Context } from "../context";
import { phone } from "../directory/fields";
import { callRules, type TwilioAddress, type WebhookAddress } from "../directory/sms-provider/address";
import type { SmsProvider } from "../directory/sms-provider/provider";
import { type PostOutcome, post } from "../net/post";
import { checkBackChannelUri, isLoopbackUri } from "../protocol/public-address";
import { sentenceOf } from "../protocol/reason";
import type { MailRoutesOptions } from "./routes";
import type { Delivery } from "./transport";

/** A text message as it is sent and stored. */
export interface OutgoingSms {
  channel: "sms";
  /** The same at every attempt, so that receivers of webhooks recognize a repetition. */
  messageId: string;
  /** When the message was caused, epoch milliseconds. */
  date: number;
  /** The number or name that phones show; empty: the provider decides. */
  sender: string;
  recipient: string;
  text: string;
  /** The type of the message. */
  eventType: string;
  /** The values that its text has been filled with, by their names in lower camel case. */
  args: Readonly<Record<string, string>>;
}

/** Milliseconds for one request. */
export const SMS_TIMEOUT = 15_000;

export interface SmsTransportOptions extends Pick<MailRoutesOptions, "resolve" | "mayConnect"> {
  /** Milliseconds. */
  timeout?: number;
}

/** Hands a message over; never throws. */
export async function sendSms(
  ctx: Context,
  provider: SmsProvider,
  sms: OutgoingSms,
  options: SmsTransportOptions = {},
): Promise<Delivery> {
  if (!phone.safeParse(sms.recipient).success) {
    return { outcome: "refused", permanent: true, answer: "the recipient is not one phone number" };
  }
  const { address } = provider;
  return address.kind === "twilio"
    ? toTwilio(ctx, address, sms, options)
    : toWebhook(ctx, { ...provider, address }, sms, options);
}

/** Twilio, "Create a Message resource": a form, with Basic (RFC 7617). */
async function toTwilio(
  ctx: Context,
  { baseUrl, sid, token }: TwilioAddress,
  { recipient, sender, text }: OutgoingSms,
  options: SmsTransportOptions,
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
  // A portal in between may say 200 to anything.
  if (id === "") return unreachable(`${outcome.status}, but no message was created: the answer is not Twilio's`);
  return { outcome: "sent", answer: oneLine(`${outcome.status} ${wordIn(answered.status)} ${id}`) };
}

/** Standard Webhooks 1.0: any 2xx means accepted; what else the answer says is not for us. */
async function toWebhook(
  ctx: Context,
  { id, description, address }: SmsProvider & { address: WebhookAddress },
  { messageId, recipient, text, eventType, args }: OutgoingSms,
  options: SmsTransportOptions,
): Promise<Delivery> {
  const contextInfo = { eventType, provider: { id, description }, recipientPhoneNumber: recipient };
  const body = JSON.stringify({ contextInfo, templateData: { text }, args });
  const at = new Date(ctx.clock());
  const headers = {
    "content-type": "application/json",
    "webhook-id": messageId,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(address.signingKey).sign(messageId, at, body),
  };
  const outcome = await call(ctx, address.endpoint, { body, headers }, options);
  if ("error" in outcome) return unreachable(outcome.error);
  return isAccepted(outcome.status) ? { outcome: "sent", answer: String(outcome.status) } : refused(outcome.status);
}

async function call(
  ctx: Context,
  address: string,
  posted: Parameters<typeof post>[1],
  { resolve, mayConnect, timeout = SMS_TIMEOUT }: SmsTransportOptions,
): Promise<PostOutcome> {
  const why = checkBackChannelUri(address, callRules(ctx));
  if (why) return { error: `the address ${sentenceOf(why)}` };
  const addresses = resolve
    ? async (host: string) =>
        (await resolve(host)).map((found) => ({ address: found, family: found.includes(":") ? 6 : 4 }))
    : ctx.resolver?.addresses;
  const isPermitted = mayConnect ?? (isLoopbackUri(address) ? () => true : undefined);
  return post(new URL(address), posted, { resolve: addresses, isPermitted, timeout });
}

const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/** What may go better later although the status says that the request is wrong (RFC 9110 §15.5.9, RFC 6585 §4, RFC 8470 §5.2). */
const LATER = new Set([408, 425, 429]);

/** Choice: a redirect is not followed but tried again, as somebody may correct the address meanwhile. */
function refused(status: number, ...words: string[]): Delivery {
  const permanent = status >= 400 && status < 500 && !LATER.has(status);
  return { outcome: "refused", permanent, answer: oneLine([status, ...words].join(" ")) };
}

const unreachable = (answer: string): Delivery => ({ outcome: "unreachable", answer: oneLine(answer) });

const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 500);

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
