/**
 * The comparison of names. Spellings that look alike or are typed alike must count as the same name. Otherwise an
 * attacker could register a look-alike of another's login name, or users could miss their own account by a capital
 * letter (UTS #46; in the spirit of RFC 8265).
 */
import { domainToASCII, domainToUnicode } from "node:url";

/** Returns the name in Unicode NFKC and lower case. Lower-casing can break the normal form, so it is restored. */
export function comparable(name: string): string {
  return name.trim().normalize("NFKC").toLowerCase().normalize("NFKC");
}

/**
 * Returns the comparable form of a login name or mail address: like `comparable`, with the part after the last `@` as
 * an ASCII host name.
 */
export function comparableLoginName(name: string): string {
  const key = comparable(name);
  const at = key.lastIndexOf("@");
  const host = at < 0 ? undefined : comparableDomain(key.slice(at + 1));
  return host === undefined ? key : `${key.slice(0, at)}@${host}`;
}

/**
 * Returns the login name (rule ID-3): the user name if it contains `@`, otherwise followed by the organization's
 * primary domain.
 */
export function loginName(userName: string, primaryDomain: string): string {
  return userName.includes("@") ? userName : `${userName}@${primaryDomain}`;
}

/**
 * Returns the lower-case ASCII form of a host name (RFC 1123 §2.1, RFC 5890) without a trailing dot; undefined for an
 * IP address or anything else that is not a host name.
 */
export function comparableDomain(text: string): string | undefined {
  const name = text.normalize("NFKC");
  // Node parses the text like a URL's host: `acme.test/x` would become acme.test, and %61 an a.
  if (/[\s/\\?#@:%[\]]/.test(name)) return undefined;
  const host = domainToASCII(name).replace(/\.$/, "");
  if (host.length === 0 || host.length > 253 || /^[\d.]+$/.test(host)) return undefined;
  return host.split(".").every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?$/.test(label)) ? host : undefined;
}

/** Letters that look like Latin ones, in two rows of the same order: Cyrillic, Greek and others (UTS #39). */
const ALIKE = [..."асԁеһіјӏорԛѕухԝвкмтнгпьαβεικνορτυχγωıɑɡɩ"];
const LATIN = [..."acdehijlopqsyxwbkmthrnbabeikvoptuxywiagi"];

/** Returns a domain and the domains above it, the closest first. */
export function withParents(domain: string): string[] {
  const labels = domain.split(".");
  return labels.map((_, place) => labels.slice(place).join("."));
}

/**
 * Returns the domain that this one looks like, in comparable form: `аcme.test` with a Cyrillic а, or with a hidden
 * character, looks like acme.test. Undefined if it only looks like itself.
 */
export function lookAlikeOf(domain: string): string | undefined {
  const shown = (domainToUnicode(domain) || domain).replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  const latin = [...shown].map((letter) => LATIN[ALIKE.indexOf(letter)] ?? letter).join("");
  const host = comparableDomain(latin.replace(/\.+$/, ""));
  return host === domain ? undefined : host;
}

/** Returns a host name label made of a display name: `ACME & Söhne` becomes `acme-sohne`. */
export function domainLabel(name: string): string {
  const label = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 50)
    .replace(/^-+|-+$/g, "");
  return label === "" ? "organization" : label;
}
