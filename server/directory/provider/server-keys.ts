/**
 * Credentials and keys of a mail server besides its password: a client that gets access tokens, which replace a
 * password (SASL XOAUTH2), and the key that signs the mails (DKIM, RFC 6376). Both are sealed. A client secret is kept
 * only for the token endpoint, client and mail server it was given for (attack: naming another endpoint, which then
 * receives the saved secret, or another mail server, which then receives a token).
 */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import { reason } from "../../protocol/reason";
import type { ServerKeys, SigningDomain, SmtpAddress, Xoauth2Client } from "./address";
import { emailChannel } from "./channel";
import { isSameServer, type SmtpProvider, senderParts } from "./smtp-address";
import { whyNotCalled } from "./webhook";

const { wrong } = emailChannel;

/** Returns the keys to store; omitted secrets keep their saved values. */
export function resolveKeys(
  ctx: Pick<Context, "config">,
  given: SmtpProvider,
  saved?: SmtpAddress,
): ServerKeys | ApiError {
  const keys: ServerKeys = {};
  if (given.xoauth2) {
    const client = resolveClient(ctx, given, given.xoauth2, saved);
    if (!("tokenEndpoint" in client)) return client;
    keys.xoauth2 = client;
  }
  if (given.dkim) {
    const signing = resolveSigning(given.dkim, given.senderAddress, saved?.keys.dkim);
    if (!("selector" in signing)) return signing;
    keys.dkim = signing;
  }
  return keys;
}

function resolveClient(
  ctx: Pick<Context, "config">,
  given: SmtpProvider,
  { tokenEndpoint, scopes = [], clientCredentials }: NonNullable<SmtpProvider["xoauth2"]>,
  saved: SmtpAddress | undefined,
): Xoauth2Client | ApiError {
  const { user, password, plain, none } = given;
  if (password || plain || none) {
    return wrong("xoauth2", reason("one_or_other", { one: "xoauth2", other: plain ? "plain" : "password" }));
  }
  if (!user) return wrong("user", reason("required"));
  const why = whyNotCalled(ctx, tokenEndpoint);
  if (why) return wrong("xoauth2.tokenEndpoint", why);
  const { clientId, clientSecret } = clientCredentials;
  const before = saved?.keys.xoauth2;
  const isSame = before?.tokenEndpoint === tokenEndpoint && before.clientId === clientId;
  const isThere = saved !== undefined && isSameServer(saved.smtpUrl, given);
  const secret = clientSecret ?? (isSame && isThere ? before.clientSecret : undefined);
  if (secret !== undefined) return { tokenEndpoint, scopes, clientId, clientSecret: secret };
  return wrong("xoauth2.clientCredentials.clientSecret", reason(whyAsked(before, isSame)));
}

function whyAsked(before: Xoauth2Client | undefined, isSame: boolean) {
  if (!before) return "required";
  return isSame ? "password_bound" : "token_bound";
}

/** Bits of the modulus (RFC 8301 §3.2: signers should use 2048). */
const BITS = { least: 2_048, most: 4_096 } as const;

function resolveSigning(
  { domain: signer, selector: name, privateKey }: NonNullable<SmtpProvider["dkim"]>,
  senderAddress: string,
  saved: SigningDomain | undefined,
): SigningDomain | ApiError {
  const field = "dkim.privateKey";
  const pem = privateKey ?? saved?.privateKey;
  if (pem === undefined) return wrong(field, reason("required"));
  const key = rsaKey(pem);
  if (!key) return wrong(field, reason("rsa_private_key"));
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < BITS.least) return wrong(field, reason("key_bits", { n: BITS.least }));
  if (bits > BITS.most) return wrong(field, reason("key_bits_most", { n: BITS.most }));
  // RFC 7489 §3.1.1: receivers ignore a signature of a domain that does not match the sender's.
  if (!isAligned(senderAddress, signer)) return wrong("dkim.domain", reason("sender_domain"));
  return { domain: signer, selector: name.toLowerCase(), privateKey: pem };
}

function isAligned(senderAddress: string, signer: string): boolean {
  const host = senderAddress.slice(senderAddress.lastIndexOf("@") + 1).toLowerCase();
  return host === signer || host.endsWith(`.${signer}`);
}

/** Returns the keys that are kept when only the server or the sender is replaced. Tokens are for one server. */
export function fittingKeys(keys: ServerKeys, isSameServer: boolean, sender: string): ServerKeys {
  const { senderAddress } = senderParts(sender);
  return {
    xoauth2: isSameServer ? keys.xoauth2 : undefined,
    dkim: keys.dkim && isAligned(senderAddress, keys.dkim.domain) ? keys.dkim : undefined,
  };
}

function rsaKey(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === "rsa" ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the fields that administrators see: no secrets, but the DNS record to publish. */
export function showKeys({ xoauth2: client, dkim: signing }: ServerKeys) {
  return { dkim: signing && showSigning(signing), xoauth2: client && showClient(client) };
}

const showClient = ({ tokenEndpoint, scopes, clientId }: Xoauth2Client) => ({
  tokenEndpoint,
  scopes: [...scopes],
  clientCredentials: { clientId },
});

function showSigning({ domain: signer, selector, privateKey }: SigningDomain) {
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" }).toString("base64");
  // RFC 6376 §3.6.2.
  const recordName = `${selector}._domainkey.${signer}`;
  return { domain: signer, selector, recordName, recordValue: `v=DKIM1; k=rsa; p=${publicKey}` };
}

/** Returns the sealed keys; null if there are none. */
export function sealKeys(ctx: Pick<Context, "secrets">, keys: ServerKeys): string | null {
  return keys.xoauth2 || keys.dkim ? ctx.secrets.seal("mail", JSON.stringify(keys)) : null;
}

/** Returns the opened keys; empty if the key that sealed them is lost. */
export function openKeys(ctx: Pick<Context, "secrets">, sealed: string | null | undefined): ServerKeys {
  const opened = sealed ? ctx.secrets.open("mail", sealed) : undefined;
  return opened === undefined ? {} : (JSON.parse(opened) as ServerKeys);
}
