/**
 * The valid values of the fields of users, organizations and apps, as zod types whose errors give the reason for a
 * rejection (protocol/reason.ts). Lengths are counted in characters (code points). Control characters, lone surrogates
 * and bidirectional overrides are rejected: databases reject some of them, and people rely on how names look.
 */
import { z } from "zod";
import { parseDuration } from "../config/value-parsers";
import { issue } from "../protocol/reason";
import { parseUrl } from "../protocol/url";
import { comparableDomain } from "./names";

// Control characters, lone surrogates, line and paragraph separators.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
const UNPRINTABLE_IN_TEXT = /[\p{Cs}]|(?![\n\r\t])\p{Cc}/u;
// Characters that reorder or hide adjacent text (UTR #36 §2.5).
const DECEPTIVE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;

/** Returns the number of code points, not of UTF-16 units. */
export function characters(text: string): number {
  return [...text].length;
}

/** A single line of text. */
export function line(most: number, least = 1) {
  return z
    .string()
    .refine((text) => characters(text) >= least, {
      error: least === 1 ? issue("empty") : issue("too_short", { n: least }),
    })
    .refine((text) => characters(text) <= most, { error: issue("too_long", { n: most }) })
    .refine((text) => !UNPRINTABLE.test(text) && !DECEPTIVE.test(text), {
      error: issue("control"),
    })
    .refine((text) => text === text.trim(), { error: issue("blanks") });
}

/** One or more lines of text. */
export function text(most: number) {
  return z
    .string()
    .refine((value) => characters(value) <= most, { error: issue("too_long", { n: most }) })
    .refine((value) => !UNPRINTABLE_IN_TEXT.test(value), { error: issue("control") });
}

/** Characters. */
export const MAX_NAME_LENGTH = 200;
export const name = line(MAX_NAME_LENGTH);

/** An ID chosen by the caller (rule ID-1). */
export const identifier = z
  .string()
  .regex(/^[A-Za-z0-9._@-]{1,200}$/, { error: issue("id_characters") })
  .refine((id) => !/^\.+$/.test(id), { error: issue("only_dots") });

/** RFC 6749 Appendix A.1, without the space. */
export const clientId = z.string().regex(/^[\x21-\x7e]{1,200}$/, { error: issue("printable") });

/** A secret stored by a machine; 32 characters leave room for enough randomness (RFC 6749 §10.10). */
export const secret = line(1_000, 32);

export const userName = line(200).refine((value) => !/^@|@$/.test(value), { error: issue("at_sign") });

export const domain = z.string().transform((value, issues) => {
  const host = comparableDomain(value);
  if (host !== undefined) return host;
  issues.addIssue({ code: "custom", message: issue("domain") });
  return z.NEVER;
});

/** Characters; RFC 5321 §4.5.3.1.3, without the angle brackets. */
export const MAX_EMAIL_LENGTH = 254;
/**
 * One mailbox without display name or comment, not a list (a subset of RFC 5321 §4.1.2 that every mail server accepts).
 */
export const email = line(MAX_EMAIL_LENGTH).refine(
  (value) => {
    const at = value.lastIndexOf("@");
    const local = value.slice(0, at);
    const isLocal = /^[^\s"(),:;<>@[\]\\]{1,64}$/u.test(local) && !/^\.|\.\.|\.$/.test(local);
    return at > 0 && isLocal && !value.endsWith(".") && comparableDomain(value.slice(at + 1)) !== undefined;
  },
  { error: issue("email") },
);

/** ITU-T E.164 with the plus sign, as OIDC Core §5.1 recommends. */
export const phone = z.string().regex(/^\+[1-9]\d{4,14}$/, { error: issue("phone") });

/** A BCP 47 tag; the output is in canonical form. */
export const languageTag = z.string().transform((value, issues) => {
  try {
    const [tag] = value.length <= 35 ? Intl.getCanonicalLocales(value) : [];
    if (tag !== undefined) return tag;
  } catch {
    // Not a well-formed tag.
  }
  issues.addIssue({ code: "custom", message: issue("language_tag") });
  return z.NEVER;
});

export const webAddress = line(2_000).refine((value) => /^https?:$/.test(parseUrl(value)?.protocol ?? ""), {
  error: issue("web_address"),
});

/** A host name, or `*.` and a domain for all hosts below it; the output is in lower case and ASCII. */
export const hostPattern = z.string().transform((value, issues) => {
  const [, wildcard = "", name = ""] = /^(\*\.)?(.*)$/s.exec(value.trim()) ?? [];
  const host = comparableDomain(name);
  if (host !== undefined) return wildcard + host;
  issues.addIssue({ code: "custom", message: issue("domain") });
  return z.NEVER;
});
export const documentHosts = z.array(hostPattern).max(200);

/** OIDC Core §5.1: YYYY-MM-DD, with the year 0000 if it is withheld, or only the year. */
export const birthdate = z.string().refine(
  (value) => {
    if (/^\d{4}$/.test(value)) return true;
    const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value);
    if (!day) return false;
    const date = new Date(`${day[1] === "0000" ? "2000" : day[1]}-${day[2]}-${day[3]}T00:00:00Z`);
    return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day[3]);
  },
  { error: issue("birthdate") },
);

/** OIDC Core §5.1: a name of the IANA time zone database. */
export const timeZone = z.string().refine(
  (value) => {
    try {
      return value !== "" && new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone !== "";
    } catch {
      return false;
    }
  },
  { error: issue("time_zone") },
);

/** A duration, stored as written, for example `1h`. */
export const durationText = (least = 1_000) =>
  z.string().refine((value) => (parseDuration(value) ?? -1) >= least, {
    error: least > 0 ? issue("duration_least", { least: `${least / 1_000}s` }) : issue("duration"),
  });

/** An object that rejects unknown members and lists the known ones. */
export function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  const members = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (raw) => (raw.code === "unrecognized_keys" ? issue("unknown_member", { known: members }) : undefined),
  });
}
