/**
 * A webhook that receives messages of any channel. Requests are signed with a key that is generated here, shown once
 * and stored sealed with the endpoint (Standard Webhooks 1.0).
 */
import { z } from "zod";
import { isLoopback } from "../../config/value-parsers";
import type { Context } from "../../context";
import { randomSecret } from "../../crypto/random";
import { checkBackChannelUri } from "../../protocol/public-address";
import { issue, type Reason } from "../../protocol/reason";
import { line, strict } from "../fields";
import type { ProviderKind, WebhookAddress } from "./address";
import type { ProviderChannel } from "./channel";
import { type FormSettings, providerForm } from "./form";

/** A webhook with opened settings. */
export interface Webhook {
  id: string;
  description: string;
  address: WebhookAddress;
}

const endpoint = line(2_000);
const description = line(200, 0).optional();
const addedSchema = strict({ endpoint, description });
const changedSchema = strict({
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
export const declaredKey = line(100).refine((text) => /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(text), {
  error: issue("signing_key"),
});
const declaredWebhook = strict({ endpoint, signingKey: declaredKey.optional() });

/**
 * Returns the schema of a provider in the bootstrap file, where the description identifies it. It is of the given kind,
 * or a webhook. Secrets may be omitted if they are saved.
 */
export const declaredProvider = <Kind extends ProviderKind, Settings extends z.ZodType>(
  one: Kind,
  settings: Settings,
) =>
  strict({
    description: line(200),
    active: z.boolean().optional(),
    ...({ [one]: settings.optional() } as Record<Kind, z.ZodOptional<Settings>>),
    http: declaredWebhook.optional(),
  }).superRefine((given, issues) => {
    const [own, webhook] = [one, "http"].map((kind) => Reflect.get(given, kind));
    if ((own === undefined) !== (webhook === undefined)) return;
    issues.addIssue({ code: "custom", message: issue("one_or_other", { one, other: "http" }) });
  });

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

/** The form to add a webhook. */
export const addedWebhook = providerForm("http", addedSchema, readWebhook);
/** The form to change a webhook. Its key never leaves the service again, so it is kept for a new endpoint. */
export const changedWebhook = providerForm("http", changedSchema, readWebhook);

function readWebhook(ctx: Context, given: z.output<typeof changedSchema>, channel: ProviderChannel) {
  const { endpoint, description, expirationSigningKey } = given;
  const why = whyNotCalled(ctx, endpoint);
  if (why) return channel.wrong("endpoint", why);
  return (saved: WebhookAddress | undefined): FormSettings<WebhookAddress> => {
    if (saved && expirationSigningKey === undefined) return { address: { ...saved, endpoint }, description };
    const signingKey = newSigningKey();
    return { address: { kind: "http", endpoint, signingKey }, description, signingKey };
  };
}
