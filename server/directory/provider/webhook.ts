/**
 * A webhook that receives messages of any channel. Requests are signed with a key that is generated here, shown once
 * and stored sealed with the endpoint (Standard Webhooks 1.0).
 */
import { isLoopback } from "../../config/value-parsers";
import type { Context } from "../../context";
import { randomSecret } from "../../crypto/random";
import { checkBackChannelUri } from "../../protocol/public-address";
import { issue, type Reason } from "../../protocol/reason";
import { line, strict } from "../fields";

export interface WebhookAddress {
  kind: "http";
  endpoint: string;
  /** `whsec_` and base64. */
  signingKey: string;
}

/** A webhook with opened settings. */
export interface Webhook {
  id: string;
  description: string;
  address: WebhookAddress;
}

export const endpoint = line(2_000);
const description = line(200, 0).optional();
export const addedWebhookSchema = strict({ endpoint, description });
export const changedWebhookSchema = strict({
  endpoint,
  description,
  expirationSigningKey: line(50).optional().meta({
    description: "Any duration, for example `0s`: makes and returns a new signing key; the old one is invalid at once",
  }),
});

/**
 * The key in the bootstrap file: 24 to 64 bytes (Standard Webhooks 1.0, "Signature scheme"); it may be omitted if it is
 * saved.
 */
const declaredKey = line(100).refine((text) => /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(text), {
  error: issue("signing_key"),
});
export const declaredWebhook = strict({ endpoint, signingKey: declaredKey.optional() });

/**
 * Returns a key of Standard Webhooks 1.0, "Signature scheme": 24 to 64 random bytes as base64 after a prefix that leak
 * scanners recognize.
 */
export const newSigningKey = (): string => `whsec_${Buffer.from(randomSecret(), "base64url").toString("base64")}`;

/**
 * Returns the rules for addresses that may be called. Addresses of this machine are only allowed if the service is on
 * loopback, in development.
 */
export const callRules = ({ config }: Pick<Context, "config">) => {
  const onLoopback = isLoopback(config.baseUrl);
  return { devMode: onLoopback, onLoopback };
};

/** Returns why an address may not be called; undefined if it may. */
export const whyNotCalled = (ctx: Pick<Context, "config">, address: string): Reason | undefined =>
  checkBackChannelUri(address, callRules(ctx));

/** Returns the address after a change, and the new signing key if one was requested or the old one is lost. */
export function changedWebhook(
  saved: WebhookAddress | undefined,
  { endpoint, expirationSigningKey }: { endpoint: string; expirationSigningKey?: string },
): { address: WebhookAddress; signingKey: string | undefined } {
  const isKept = saved !== undefined && expirationSigningKey === undefined;
  const signingKey = isKept ? saved.signingKey : newSigningKey();
  return { address: { kind: "http", endpoint, signingKey }, signingKey: isKept ? undefined : signingKey };
}
