/**
 * How names are compared. Two spellings that look or are typed alike must be one name, else somebody could register a
 * look-alike of another's login name or miss his own account by a capital letter (UTS #46, RFC 8265 in spirit).
 */
import { domainToASCII } from "node:url";

/** Unicode NFKC and lower case; lower-casing can undo normal form, so it is restored. */
export function comparable(name: string): string {
  return name.trim().normalize("NFKC").toLowerCase().normalize("NFKC");
}

/** A login name or mail address to compare by: as `comparable`, the part after the last `@` as an ASCII host name. */
export function comparableLoginName(name: string): string {
  const key = comparable(name);
  const at = key.lastIndexOf("@");
  const host = at < 0 ? undefined : comparableDomain(key.slice(at + 1));
  return host === undefined ? key : `${key.slice(0, at)}@${host}`;
}

/** What signs in (contract §3): the user name where it contains `@`, else with the organization's primary domain. */
export function loginName(userName: string, primaryDomain: string): string {
  return userName.includes("@") ? userName : `${userName}@${primaryDomain}`;
}

/** Lower-case ASCII form of a host name (RFC 1123 §2.1, RFC 5890); undefined for an address or for what is no name. */
export function comparableDomain(text: string): string | undefined {
  const name = text.normalize("NFKC");
  // As in an address, Node would take `acme.test/x` for acme.test and %61 for a.
  if (/[\s/\\?#@:%[\]]/.test(name)) return undefined;
  const host = domainToASCII(name);
  if (host.length === 0 || host.length > 253 || /^[\d.]+$/.test(host)) return undefined;
  return host.split(".").every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?$/.test(label)) ? host : undefined;
}

/** A host name label made of a display name: `ACME & Söhne` becomes `acme-sohne`. */
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
