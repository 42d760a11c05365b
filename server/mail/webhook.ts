/**
 * Sends a message by a request to a webhook or to a provider's own API. The server may respond with anything or
 * nothing: a response that is not a clear acceptance is a failed attempt, which is retried depending on the cause.
 */
import { Webhook as Signer } from "standardwebhooks";
import type { Context } from "../context";
import { callRules, type Webhook } from "../directory/provider/webhook";
import { type GuardedOutcome, guardedFetch } from "../net/guarded-fetch";
import type { Delivery } from "./transport";

/** Time limit of one request, in milliseconds. */
const CALL_TIMEOUT = 15_000;

/** Which addresses may be called, and how host names are resolved. */
export interface Reach {
  /** Resolves a host name; by default with the system's resolver. */
  resolve?: (host: string) => Promise<string[]>;
  /** Whether connections to an address are allowed; by default if it is public. */
  mayConnect?: (address: string) => boolean;
}

export interface WebhookOptions extends Reach {
  /** Time limit in milliseconds. */
  timeout?: number;
}

export interface Handed {
  /** Equal at every attempt, so that receivers can detect duplicates. */
  messageId: string;
  /** The type of the message. */
  eventType: string;
  /** The recipient, by the name of the member in the request. */
  recipient: { recipientPhoneNumber: string } | { recipientEmailAddress: string };
  templateData: Readonly<Record<string, string>>;
  args: Readonly<Record<string, string>>;
}

/** Calls a webhook. Standard Webhooks 1.0: any 2xx means accepted; the body is ignored. */
export async function callWebhook(
  ctx: Context,
  { id, description, address }: Webhook,
  { messageId, eventType, recipient, templateData, args }: Handed,
  options: WebhookOptions,
): Promise<Delivery> {
  const contextInfo = { eventType, provider: { id, description }, ...recipient };
  const body = JSON.stringify({ contextInfo, templateData, args });
  const at = new Date(ctx.clock());
  const headers = {
    "content-type": "application/json",
    "webhook-id": messageId,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Signer(address.signingKey).sign(messageId, at, body),
  };
  const outcome = await call(ctx, address.endpoint, { body, headers }, options);
  if ("error" in outcome) return unreachable(outcome.error);
  return isAccepted(outcome.status) ? { outcome: "sent", answer: String(outcome.status) } : refused(outcome.status);
}

/** Posts to a permitted address; never throws. */
export async function call(
  ctx: Context,
  address: string,
  { body, headers }: { body: string; headers: Readonly<Record<string, string>> },
  { resolve, mayConnect, timeout = CALL_TIMEOUT }: WebhookOptions,
): Promise<GuardedOutcome> {
  const addresses = resolve
    ? async (host: string) =>
        (await resolve(host)).map((found) => ({ address: found, family: found.includes(":") ? 6 : 4 }))
    : ctx.resolver?.addresses;
  const request = { method: "POST", body, headers: { accept: "application/json", ...headers } };
  const options = { ...callRules(ctx), resolve: addresses, isPermitted: mayConnect, timeout };
  return guardedFetch(address, request, options);
}

export const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/** Statuses that may succeed later although they are client errors (RFC 9110 §15.5.9, RFC 6585 §4, RFC 8470 §5.2). */
const LATER = new Set([408, 425, 429]);

/** Choice: a redirect is not followed but retried, as an administrator may correct the address meanwhile. */
export function refused(status: number, ...words: string[]): Delivery {
  const permanent = status >= 400 && status < 500 && !LATER.has(status);
  return { outcome: "refused", permanent, answer: oneLine([status, ...words].join(" ")) };
}

export const unreachable = (answer: string): Delivery => ({ outcome: "unreachable", answer: oneLine(answer) });

export const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 500);
