/**
 * Parsers of configuration values: durations, addresses, lists. Each takes the text of a variable and returns the
 * value, or the reason why it is invalid. Reasons never repeat the text, as it may be a secret. Rule CONFIG-1.
 */
import { readFileSync, statSync } from "node:fs";
import { isIP, isIPv6 } from "node:net";
import { createSecureContext } from "node:tls";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { parsePostgresqlUrl } from "../protocol/postgresql-url";
import { issue } from "../protocol/reason";
import { parseUrl } from "../protocol/url";

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const TEN_YEARS = 3_650 * UNITS.d;

/** The milliseconds of `60s`, `10m`, `1h` or `30d`; undefined for anything else and above ten years. */
export function parseDuration(text: string): number | undefined {
  const match = /^(0|[1-9]\d{0,9})([smhd])$/.exec(text);
  if (!match) return undefined;
  const milliseconds = Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
  return milliseconds > TEN_YEARS ? undefined : milliseconds;
}

/** Returns a duration in the largest unit that gives a whole number. */
function durationText(milliseconds: number): string {
  const [unit = "s", length = UNITS.s] =
    Object.entries(UNITS).findLast(([, length]) => milliseconds > 0 && milliseconds % length === 0) ?? [];
  return `${milliseconds / length}${unit}`;
}

/** A duration within limits, all in milliseconds. */
export function duration(limits: { least?: number; most?: number } = {}) {
  const { least = 1_000, most = TEN_YEARS } = limits;
  return z.string().transform((text, issues) => {
    const value = parseDuration(text);
    if (value === undefined)
      return refuse(issues, "must be a whole number and a unit: s, m, h or d, ten years at most");
    if (value < least) return refuse(issues, `must be at least ${durationText(least)}`);
    if (value > most) return refuse(issues, `must be at most ${durationText(most)}`);
    return value;
  });
}

/** A duration within limits, milliseconds, or `forever`, which is null. */
export function retention(limits: { least: number }) {
  const limited = duration(limits);
  return z.string().transform((text, issues) => {
    if (text === "forever") return null;
    const parsed = limited.safeParse(text);
    return parsed.data ?? refuse(issues, `${parsed.error?.issues[0]?.message ?? "is not a duration"}, or forever`);
  });
}

export const portNumber = z.string().transform((text, issues) => {
  const value = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= 65_535 ? value : refuse(issues, "must be a whole number from 1 to 65535");
});

export const count = z.string().transform((text, issues) => {
  return /^[1-9]\d{0,2}$/.test(text) ? Number(text) : refuse(issues, "must be a whole number from 1 to 999");
});

export const yesOrNo = z.string().transform((text, issues) => {
  if (text === "true") return true;
  if (text === "false") return false;
  return refuse(issues, "must be true or false");
});

export const hostName = z
  .string()
  .refine((text) => isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text), {
    error: "must be an IP address or a host name, without a port",
  });

/**
 * Parses an address that others compare byte for byte (OIDC Core §3.1.3.7: `iss` must match exactly). It is only
 * accepted in normalized form: lower-case host, no default port, no slash at the end.
 */
export const publicUrl = z.string().transform((text, issues) => {
  const url = parseUrl(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return refuse(issues, "must be an absolute https:// or http:// address");
  }
  if (url.username || url.password) return refuse(issues, "must not contain a user name or password");
  if (text.includes("?") || text.includes("#")) return refuse(issues, "must have no query and no fragment");
  if (text.endsWith("/")) return refuse(issues, "must not end with a slash");
  if (url.port === "0") return refuse(issues, "must not name port 0, which nobody can connect to");
  const normal = url.href.replace(/\/$/, "");
  if (normal !== text) return refuse(issues, `must be written in its normal form, ${normal}`);
  return text;
});

/** Whether an http address stays on this machine (RFC 6761 §6.3: `localhost` and names below it). */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return (
    hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || isLoopbackAddress(hostname)
  );
}

const isLoopbackAddress = (name: string) => isIP(name) === 4 && name.startsWith("127.");

/** Splits at commas; spaces around entries and empty entries are dropped. */
function splitList(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

export const networks = z.string().transform((text, issues) => {
  const list = splitList(text);
  const wrong = list.find((entry) => !isNetwork(entry));
  return wrong === undefined
    ? list
    : refuse(issues, `must be addresses or CIDR networks, separated by commas; "${wrong}" is not`);
});

function isNetwork(entry: string): boolean {
  const [address = "", prefix, ...rest] = entry.split("/");
  if (isIP(address) === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= (isIPv6(address) ? 128 : 32);
}

/** One or more keys: the first one seals, the others can still open what was sealed with them. */
export const secretKeys = z.string().transform((text, issues) => {
  const list = splitList(text);
  if (list.length === 0) return refuse(issues, "must not be empty");
  // Keys on several lines would be read as one long key, which opens nothing.
  if (list.some((key) => /[\r\n]/.test(key))) return refuse(issues, "separate keys by commas, not by lines");
  if (list.some((key) => [...key].length < 32)) return refuse(issues, "every key must have at least 32 characters");
  return list;
});

export const databaseUrl = z.string().transform((text, issues) => {
  if (/^file:./.test(text)) {
    // The embedded database is opened twice, for writing and for reading: both connections must see the same file.
    if (/^file:(:memory:|.*[?#])/.test(text)) return refuse(issues, "must name a file: no :memory:, no parameters");
    return text.endsWith("/") || isFolder(text) ? refuse(issues, "names a folder; name a file in it") : text;
  }
  if (!/^postgres(ql)?:\/\//.test(text)) return refuse(issues, "must start with file: or postgresql://");
  const parsed = parsePostgresqlUrl(text);
  return typeof parsed === "string" ? refuse(issues, parsed) : text;
});

function isFolder(fileUrl: string): boolean {
  try {
    const file = fileUrl.startsWith("file://") ? fileURLToPath(fileUrl) : fileUrl.slice("file:".length);
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false; // opening it later gives the reason
  }
}

export const smtpUrl = z.string().refine((text) => /^smtps?:\/\/./.test(text) && parseUrl(text) !== undefined, {
  error: issue("smtp_address"),
});

/** `user@host` or `Name <user@host>` in one line: the part of RFC 5322 §3.4 that all mail programs understand. */
export const mailbox = z.string().refine(
  (text) => {
    const address = /^[^<>\p{Cc}]*<([^<>\s]+)>$/u.exec(text)?.[1] ?? text;
    return /^[^\s@<>",;:()[\]\\]+@[^\s@<>",;:()[\]\\]+$/.test(address);
  },
  { error: issue("mailbox") },
);

/** The text about a setting in docs/configuration.md, and the valid example that errors show. */
export interface SettingWords {
  /** The default value or a description of it; undefined if there is no default. */
  default?: string;
  example: string;
  /** In Markdown, with links as seen from the folder docs. */
  description: string;
}

/** Makes an optional setting of a parser of its text. */
export const setting = <Parser extends z.ZodType>(parser: Parser, words: SettingWords) =>
  parser.optional().meta({ ...words });

function refuse(issues: z.core.$RefinementCtx, reason: string): never {
  issues.addIssue({ code: "custom", message: reason });
  return z.NEVER;
}

/** Returns why a certificate and its key, in two readable files, cannot be used together; undefined if they can. */
export function whyNoTls(certFile: string, keyFile: string): string | undefined {
  try {
    createSecureContext({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ERR_OSSL_X509_KEY_VALUES_MISMATCH"
      ? "belongs to another key than TLS_KEY_FILE"
      : "must be a certificate in PEM, and TLS_KEY_FILE its private key without a passphrase";
  }
}

/** The name of a header (RFC 9110 §5.1), in lower case. */
export const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^`|~\w-]{1,100}$/, { error: "must be the name of a header" })
  .transform((name) => name.toLowerCase());
