/**
 * A webhook that messages are handed to, of whatever channel: called with requests that are signed by a key which is made
 * here, shown once and stored sealed with the endpoint (Standard Webhooks 1.0).
 */
import { isLoopback } from "../../config-values";
import type { Context } from "../../context";
import { randomSecret } from "../../crypto/random";
import { checkBackChannelUri } from "../../protocol/public-address";
import { type Reason, said } from "../../protocol/reason";
import { line, strict } from "../fields";

export interface WebhookAddress {
  kind: "http";
  endpoint: string;
  /** `whsec_` and base64. */
  signingKey: string;
}

/** A webhook as it is called. */
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
    description: "Any duration, as in `0s`: a new signing key is made and returned, and the old one ends at once",
  }),
});

/** As in the bootstrap file: 24 to 64 bytes (Standard Webhooks 1.0, "Signature scheme"), left out if it is saved. */
const declaredKey = line(100).refine((text) => /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(text), {
  error: said("signing_key"),
});
export const declaredWebhook = strict({ endpoint, signingKey: declaredKey.optional() });

/** Standard Webhooks 1.0, "Signature scheme": 24 to 64 random bytes as base64 behind a prefix that leak scanners know. */
export const newSigningKey = (): string => `whsec_${Buffer.from(randomSecret(), "base64url").toString("base64")}`;

/** What decides which addresses may be called: this machine's only where the service is being built there. */
export const callRules = ({ config }: Pick<Context, "config">) => {
  const onLoopback = isLoopback(config.baseUrl);
  return { devMode: onLoopback, onLoopback };
};

/** Why an address is not called. */
export const whyNotCalled = (ctx: Pick<Context, "config">, address: string): Reason | undefined =>
  checkBackChannelUri(address, callRules(ctx));

/** The address after a change, and the new signing key if one was asked for or the old one is lost. */
export function changedWebhook(
  saved: WebhookAddress | undefined,
  { endpoint, expirationSigningKey }: { endpoint: string; expirationSigningKey?: string },
): { address: WebhookAddress; signingKey: string | undefined } {
  const isKept = saved !== undefined && expirationSigningKey === undefined;
  const signingKey = isKept ? saved.signingKey : newSigningKey();
  return { address: { kind: "http", endpoint, signingKey }, signingKey: isKept ? undefined : signingKey };
}
