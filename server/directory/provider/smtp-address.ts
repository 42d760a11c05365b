/**
 * The address of a mail server: in the forms of the two APIs, and as one URL with user and password, which is stored
 * sealed; and the form of its other credentials and keys (server-keys.ts).
 */
import { z } from "zod";
import { isLoopback, mailbox, smtpUrl } from "../../config/value-parsers";
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import { issue, reason } from "../../protocol/reason";
import { parseUrl } from "../../protocol/url";
import { domain, email, line, strict, text } from "../fields";
import { emailChannel } from "./channel";
import { declaredProvider } from "./webhook";

/**
 * Relay (25), submission over TLS (465), submission (587) and its common alternative (2525). Other ports do not belong
 * to mail servers.
 */
const PORTS = new Set(["", "25", "465", "587", "2525"]);

/**
 * The settings with a single URL. Values are single lines, so that nothing can be injected into a header or a command.
 */
export const mailSettingsSchema = strict({
  smtpUrl: line(1_000)
    .pipe(smtpUrl)
    // Also runs for values that are not URLs.
    .refine((url) => PORTS.has(parseUrl(url)?.port ?? ""), { error: issue("smtp_port") })
    // Parameters could turn TLS off and expose the password.
    .refine((url) => !parseUrl(url)?.search, { error: issue("no_parameters") }),
  sender: line(300).pipe(mailbox),
});

/** A mail server and the sender of its mails. */
export type MailSettings = z.output<typeof mailSettingsSchema>;

/** A display name, without the characters that would end it. */
const senderName = line(200, 0).refine((text) => !/[<>"]/.test(text), { error: issue("sender_name") });
const password = line(500, 0);

/** A host name or an IP address (IPv6 in brackets), with or without a port. */
const host = line(300).refine(
  (text) => /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?$/i.test(text) && parseUrl(`smtp://${text}`),
  { error: issue("mail_host") },
);

/** RFC 6376 §3.1: a domain name below `_domainkey`, often with a single label. */
const selector = line(63).regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i, {
  error: issue("domain"),
});
/** RFC 6749 §3.3. */
const scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, { error: issue("printable") });

const xoauth2 = strict({
  tokenEndpoint: line(2_000),
  scopes: z
    .array(scope)
    .max(20, { error: issue("entries", { n: 20 }) })
    .optional(),
  clientCredentials: strict({
    clientId: line(500),
    clientSecret: line(2_000).optional(),
  }),
}).meta({
  description: "Access tokens instead of a password (XOAUTH2), obtained with client credentials. `user` is required",
});

const dkim = strict({
  domain,
  selector,
  privateKey: text(10_000).optional(),
}).meta({ description: "DKIM signature of the mails: an RSA key of 2048 to 4096 bits, PEM" });

/**
 * The settings as separate fields. `tls` means TLS from the first byte on port 465 or without a port; otherwise it
 * requires STARTTLS (RFC 8314 §3). Without `tls`, STARTTLS is used if the server supports it; a password is only sent
 * over TLS.
 */
export const smtpProviderSchema = strict({
  senderAddress: email,
  senderName: senderName.optional(),
  replyToAddress: email.or(z.literal("")).optional(),
  host,
  tls: z.boolean().optional(),
  user: line(300, 0).optional(),
  password: password.optional(),
  xoauth2: xoauth2.optional(),
  dkim: dkim.optional(),
  plain: strict({ password: password.optional() }).optional().meta({ description: "Alternative to `password`" }),
  none: strict({}).optional().meta({ description: "No password" }),
  description: line(200, 0).optional(),
});
export type SmtpProvider = z.output<typeof smtpProviderSchema>;

export const declaredEmailProvider = declaredProvider(
  "smtp",
  smtpProviderSchema.omit({ plain: true, none: true, description: true }),
);
export type DeclaredEmailProvider = z.output<typeof declaredEmailProvider>;

/**
 * Rejects a port that does not belong to a mail server, because connections to others could be used to scan a network.
 * If the service is on loopback, it is in development, and servers on its own machine may use any port.
 */
export function refusePort(ctx: Context, smtpUrl: string): ApiError | undefined {
  if (PORTS.has(new URL(smtpUrl).port) || isTrialServer(ctx, smtpUrl)) return undefined;
  return emailChannel.wrong("host", reason("smtp_port"));
}

/** Returns whether the server runs on the same machine as a service in development (BASE_URL is on loopback). */
export function isTrialServer({ config }: Pick<Context, "config">, smtpUrl: string): boolean {
  return isLoopback(config.baseUrl) && isLoopback(`http://${new URL(smtpUrl).hostname || "invalid"}`);
}

/** Returns the given password; undefined keeps the stored one. */
export function givenPassword({ password, plain, none }: SmtpProvider): string | undefined {
  if (none) return "";
  return plain?.password || password || undefined;
}

/** Returns the URL with user and password. */
export function smtpAddress({ host, tls, user = "" }: SmtpProvider, password: string): string {
  const { port } = new URL(`smtp://${host}`);
  const isImplicit = tls === true && (port === "" || port === "465");
  const url = new URL(`${isImplicit ? "smtps" : "smtp"}://${host}`);
  url.username = user;
  url.password = user === "" ? "" : password;
  if (tls && !isImplicit) url.searchParams.set("requireTLS", "true");
  return url.href;
}

/** Returns the mailbox of a name and an address. */
export function senderOf({ senderAddress, senderName = "" }: SmtpProvider): string {
  return senderName === "" ? senderAddress : `${senderName} <${senderAddress}>`;
}

/** The parts of an address that administrators see: never its password. */
export interface AddressShown {
  host: string;
  port?: number;
  user?: string;
  hasPassword: boolean;
  tls: boolean;
}

export function showAddress(smtpUrl: string): AddressShown {
  const url = new URL(smtpUrl);
  return {
    host: url.hostname,
    port: url.port === "" ? undefined : Number(url.port),
    user: url.username === "" ? undefined : decoded(url.username),
    hasPassword: url.password !== "",
    tls: url.protocol === "smtps:" || url.searchParams.get("requireTLS") === "true",
  };
}

/**
 * Returns whether settings lead to the same server as the stored address, with no less protection. Only then may a
 * saved secret be used.
 */
export function isSameServer(stored: string, settings: SmtpProvider): boolean {
  const before = showAddress(stored);
  const after = showAddress(smtpAddress(settings, ""));
  const isSame = before.host === after.host && before.port === after.port && before.user === after.user;
  return isSame && (after.tls || !before.tls);
}

/** Returns the password of an address; empty if it has none. */
export const passwordOf = (smtpUrl: string): string => decoded(new URL(smtpUrl).password);

/**
 * Decodes percent-encoding, and keeps a `%` that encodes nothing, because users paste passwords without encoding them.
 */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the name and the address of a mailbox. */
export function senderParts(sender: string): { senderName: string; senderAddress: string } {
  const parts = /^\s*"?([^<>"]*?)"?\s*<([^<>\s]+)>\s*$/.exec(sender);
  return { senderAddress: parts?.[2] ?? sender, senderName: parts?.[1] ?? "" };
}
