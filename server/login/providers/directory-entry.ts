/** The entry of a user in an LDAP directory, as claims under the names of OpenID Connect. */
import type { Entry } from "ldapts";
import type { DirectoryAttribute, DirectorySettings } from "../../protocol/identity-provider";
import type { Claims } from "./identity";

export interface DirectoryUser {
  dn: string;
  /** What is bound with the user's password: never empty. */
  bindName: string;
  /** Under the names of OpenID Connect, and `groups` with the DNs of the groups. */
  claims: Claims;
}

const CLAIMS: Readonly<Record<Exclude<DirectoryAttribute, "idAttribute">, string>> = {
  firstNameAttribute: "given_name",
  lastNameAttribute: "family_name",
  displayNameAttribute: "name",
  nickNameAttribute: "nickname",
  preferredUsernameAttribute: "preferred_username",
  emailAttribute: "email",
  emailVerifiedAttribute: "email_verified",
  phoneAttribute: "phone_number",
  phoneVerifiedAttribute: "phone_number_verified",
  preferredLanguageAttribute: "locale",
  avatarUrlAttribute: "picture",
  profileAttribute: "profile",
};

/** Returns the user of an entry, or why it is of no use. */
export function claimsOfEntry(
  entry: Entry,
  { attributes, userBase = "" }: Pick<DirectorySettings, "attributes" | "userBase">,
): DirectoryUser | string {
  const sub = idText(attributes.idAttribute, valuesOf(entry, attributes.idAttribute)[0]);
  if (sub === undefined || sub === "") return `the entry has no ${attributes.idAttribute}`;
  if (sub.includes("\ufffd")) return `idAttribute must be written as the directory writes it`;
  const first = (name: string) => valuesOf(entry, name)[0]?.toString();
  const bindName = userBase === "" || userBase.toLowerCase() === "dn" ? entry.dn : first(userBase);
  if (!bindName) return `the entry has no ${userBase}`;
  const named = Object.entries(CLAIMS).flatMap(([field, claim]) => {
    const attribute = attributes[field as DirectoryAttribute];
    const value = attribute === undefined ? undefined : first(attribute);
    return value === undefined ? [] : [[claim, /_verified$/.test(claim) ? value.toLowerCase() : value]];
  });
  const groups = valuesOf(entry, "memberOf").map(String);
  return { dn: entry.dn, bindName, claims: { ...Object.fromEntries(named), groups, sub } };
}

/** Names of attributes are compared without regard to case (RFC 4512 §2.5). */
function valuesOf(entry: Entry, name: string): readonly (string | Buffer)[] {
  const key = Object.keys(entry).find((one) => one.toLowerCase() === name.toLowerCase() && one !== "dn");
  const value = key === undefined ? [] : entry[key];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** Returns the id as text: a GUID as Active Directory shows it, other bytes that are not text as base64. */
function idText(attribute: string, value: string | Buffer | undefined): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  if (attribute.toLowerCase() === "objectguid" && value.length === 16) {
    const hex = (from: number, to: number) => value.subarray(from, to).toString("hex");
    const swapped = (from: number, to: number) => Buffer.from(value.subarray(from, to)).reverse().toString("hex");
    return [swapped(0, 4), swapped(4, 6), swapped(6, 8), hex(8, 10), hex(10, 16)].join("-");
  }
  const text = value.toString();
  return Buffer.from(text).equals(value) && !/\p{Cc}/u.test(text) ? text : value.toString("base64");
}
