/**
 * Credentials and keys of a mail server besides its password: a client that gets access tokens, which replace a
 * password (SASL XOAUTH2), and the key that signs the mails (DKIM, RFC 6376). Both are sealed. A client secret is kept
 * only for the token endpoint, client and mail server it was given for (attack: naming another endpoint, which then
 * receives the saved secret, or another mail server, which then receives a token).
 */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { z } from "zod";
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import { reason } from "../../protocol/reason";
import { whyNotCalled } from "../provider/webhook";
import { isSameServer, type MailSettings, type SmtpProvider, senderParts, wrongSettings } from "./address";
import type { dkim, xoauth2 } from "./key-fields";

/** A client of the client credentials grant (RFC 6749 §4.4) at the operator of the mail server. */
export interface Xoauth2Client {
  tokenEndpoint: string;
  scopes: readonly string[];
  clientId: string;
  clientSecret: string;
}

export interface SigningDomain {
  domain: string;
  selector: string;
  /** PKCS #8 or PKCS #1, PEM. */
  privateKey: string;
}

/** The stored keys; each is optional. */
export interface ServerKeys {
  xoauth2?: Xoauth2Client;
  dkim?: SigningDomain;
}

/** The stored server. */
type SavedServer = Pick<MailSettings, "smtpUrl"> & { keys: ServerKeys };

/** Returns the keys to store; omitted secrets keep their saved values. */
export function resolveKeys(
  ctx: Pick<Context, "config">,
  given: SmtpProvider,
  saved?: SavedServer,
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
  { tokenEndpoint, scopes = [], clientCredentials }: z.output<typeof xoauth2>,
  saved: SavedServer | undefined,
): Xoauth2Client | ApiError {
  const { user, password, plain, none } = given;
  if (password || plain || none) {
    return wrongSettings("xoauth2", reason("one_or_other", { one: "xoauth2", other: plain ? "plain" : "password" }));
  }
  if (!user) return wrongSettings("user", reason("required"));
  const why = whyNotCalled(ctx, tokenEndpoint);
  if (why) return wrongSettings("xoauth2.tokenEndpoint", why);
  const { clientId, clientSecret } = clientCredentials;
  const before = saved?.keys.xoauth2;
  const isSame = before?.tokenEndpoint === tokenEndpoint && before.clientId === clientId;
  const isThere = saved !== undefined && isSameServer(saved.smtpUrl, given);
  const secret = clientSecret ?? (isSame && isThere ? before.clientSecret : undefined);
  if (secret !== undefined) return { tokenEndpoint, scopes, clientId, clientSecret: secret };
  return wrongSettings("xoauth2.clientCredentials.clientSecret", reason(whyAsked(before, isSame)));
}

function whyAsked(before: Xoauth2Client | undefined, isSame: boolean) {
  if (!before) return "required";
  return isSame ? "password_bound" : "token_bound";
}

/** Bits of the modulus (RFC 8301 §3.2: signers should use 2048). */
const BITS = { least: 2_048, most: 4_096 } as const;

function resolveSigning(
  { domain: signer, selector: name, privateKey }: z.output<typeof dkim>,
  senderAddress: string,
  saved: SigningDomain | undefined,
): SigningDomain | ApiError {
  const field = "dkim.privateKey";
  const pem = privateKey ?? saved?.privateKey;
  if (pem === undefined) return wrongSettings(field, reason("required"));
  const key = rsaKey(pem);
  if (!key) return wrongSettings(field, reason("rsa_private_key"));
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < BITS.least) return wrongSettings(field, reason("key_bits", { n: BITS.least }));
  if (bits > BITS.most) return wrongSettings(field, reason("key_bits_most", { n: BITS.most }));
  // RFC 7489 §3.1.1: receivers ignore a signature of a domain that does not match the sender's.
  if (!isAligned(senderAddress, signer)) return wrongSettings("dkim.domain", reason("sender_domain"));
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

/** The fields that administrators see: no secrets, but the DNS record to publish. */
export interface KeysShown {
  xoauth2?: Omit<Xoauth2Client, "clientSecret">;
  dkim?: Omit<SigningDomain, "privateKey"> & { recordName: string; recordValue: string };
}

export function showKeys({ xoauth2: client, dkim: signing }: ServerKeys): KeysShown {
  const shown: KeysShown = {};
  if (client) {
    const { clientSecret: _, ...rest } = client;
    shown.xoauth2 = rest;
  }
  if (signing) {
    const { domain: signer, selector: name, privateKey } = signing;
    const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" }).toString("base64");
    // RFC 6376 §3.6.2.
    const recordName = `${name}._domainkey.${signer}`;
    shown.dkim = { domain: signer, selector: name, recordName, recordValue: `v=DKIM1; k=rsa; p=${publicKey}` };
  }
  return shown;
}

/** Returns the fields for the audit trail, without secrets. */
export const auditedKeys = ({ xoauth2: client, dkim: signing }: ServerKeys) => ({
  ...(client && { tokenEndpoint: new URL(client.tokenEndpoint).host, clientId: client.clientId }),
  ...(signing && { dkim: `${signing.selector}._domainkey.${signing.domain}` }),
});

/** Returns the sealed keys; null if there are none. */
export function sealKeys(ctx: Pick<Context, "secrets">, keys: ServerKeys): string | null {
  return keys.xoauth2 || keys.dkim ? ctx.secrets.seal("mail", JSON.stringify(keys)) : null;
}

/** Returns the opened keys; empty if the key that sealed them is lost. */
export function openKeys(ctx: Pick<Context, "secrets">, sealed: string | null): ServerKeys {
  const opened = sealed === null ? undefined : ctx.secrets.open("mail", sealed);
  return opened === undefined ? {} : (JSON.parse(opened) as ServerKeys);
}
