/**
 * Claims about a user (OIDC Core §5.1, §5.4) by scope, and their format. A claim without a proper value is omitted,
 * never null or empty (OIDC Core §5.3.2), because clients store what they receive. URLs that a client may render are
 * http(s) only, so that no profile carries script into an application.
 */
import type { Client } from "./client";
import { isReservedScope } from "./scope";
import { parseUrl } from "./url";

/** The data of a person or machine. Times are epoch milliseconds, booleans may be 0 or 1. */
export type ClaimsSource = PersonClaims | MachineClaims;

export interface PersonClaims {
  kind: "human";
  preferredLoginName: string;
  firstName?: string | null;
  lastName?: string | null;
  nickName?: string | null;
  displayName?: string | null;
  preferredLanguage?: string | null;
  gender?: string | null;
  /** Further standard claims by their names: middle_name, website, profile, picture, birthdate, zoneinfo. */
  claims?: Readonly<Record<string, unknown>> | null;
  /** The address (OIDC Core §5.1.1), by the names of its members. */
  address?: Readonly<Record<string, unknown>> | null;
  email?: string | null;
  isEmailVerified?: boolean | number;
  phone?: string | null;
  isPhoneVerified?: boolean | number;
  changedAt: number;
}

export interface MachineClaims {
  kind: "machine";
  preferredLoginName: string;
  name?: string | null;
  changedAt: number;
}

/** The claims of each scope (OIDC Core §5.4). */
const claimsOfScope: Readonly<Record<string, readonly string[]>> = {
  profile: [
    "name",
    "given_name",
    "family_name",
    "middle_name",
    "nickname",
    "preferred_username",
    "profile",
    "picture",
    "website",
    "gender",
    "birthdate",
    "zoneinfo",
    "locale",
    "updated_at",
  ],
  email: ["email", "email_verified"],
  phone: ["phone_number", "phone_number_verified"],
  address: ["address"],
};

const addressMembers = ["formatted", "street_address", "locality", "region", "postal_code", "country"];

export function scopesOfClaims(names: readonly string[]): string[] {
  return Object.keys(claimsOfScope).filter((scope) => claimsOfScope[scope]?.some((name) => names.includes(name)));
}

/** All claims about a user that this service supports, for discovery. */
export const userClaimNames: readonly string[] = Object.values(claimsOfScope).flat();

/**
 * Returns the claims of the scopes, and those requested individually with the claims parameter. Without `sub`.
 * @param user the source of the values
 * @param scopes the granted scopes
 * @param requested claim names of the claims parameter (OIDC Core §5.5); unknown ones are ignored
 */
export function userClaims(
  user: ClaimsSource,
  scopes: readonly string[],
  requested: readonly string[] = [],
): Record<string, unknown> {
  const names = new Set(requested);
  for (const scope of scopes) {
    if (!Object.hasOwn(claimsOfScope, scope)) continue;
    for (const name of claimsOfScope[scope] ?? []) names.add(name);
  }
  if (names.size === 0) return {};
  const known = Object.entries(user.kind === "human" ? personClaims(user) : machineClaims(user));
  return Object.fromEntries(known.filter(([name, value]) => names.has(name) && value !== undefined));
}

/**
 * Returns the scopes whose claims an id_token contains (rule AUTHORIZE-11; OIDC Core §5.4). Those of profile, email,
 * phone and address are excluded if an access token is issued with it, unless the app is set to include them. Claims of
 * the reserved scopes are included whenever they were requested.
 */
export function idTokenScopeClaims(
  scopes: readonly string[],
  accessTokenIssued: boolean,
  client: Pick<Client, "idTokenUserinfoAssertion">,
): readonly string[] {
  return accessTokenIssued && !client.idTokenUserinfoAssertion ? scopes.filter(isReservedScope) : scopes;
}

function personClaims(user: PersonClaims): Record<string, unknown> {
  const further = user.claims ?? {};
  const email = text(user.email);
  const phone = text(user.phone);
  return {
    name: text(user.displayName) ?? text([user.firstName, user.lastName].filter((part) => text(part)).join(" ")),
    given_name: text(user.firstName),
    family_name: text(user.lastName),
    middle_name: text(further.middle_name),
    nickname: text(user.nickName),
    preferred_username: text(user.preferredLoginName),
    profile: webAddress(further.profile),
    picture: webAddress(further.picture),
    website: webAddress(further.website),
    gender: text(user.gender),
    birthdate: birthdate(further.birthdate),
    zoneinfo: text(further.zoneinfo),
    locale: text(user.preferredLanguage),
    updated_at: seconds(user.changedAt),
    email,
    email_verified: email === undefined ? undefined : Boolean(user.isEmailVerified),
    phone_number: phone,
    phone_number_verified: phone === undefined ? undefined : Boolean(user.isPhoneVerified),
    address: address(user.address),
  };
}

function machineClaims(user: MachineClaims): Record<string, unknown> {
  return {
    name: text(user.name),
    preferred_username: text(user.preferredLoginName),
    updated_at: seconds(user.changedAt),
  };
}

/** Returns a non-blank string. The word "null", left behind by a careless import, counts as blank. */
function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" && value !== "null" ? value : undefined;
}

function webAddress(value: unknown): string | undefined {
  const address = text(value);
  return address !== undefined && /^https?:\/\//i.test(address) && parseUrl(address) ? address : undefined;
}

const birthdateForm = /^(?!0000$)[0-9]{4}(-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]))?$/;

/** Returns a valid birthdate (OIDC Core §5.1): YYYY-MM-DD, 0000-MM-DD without the year, or YYYY. */
function birthdate(value: unknown): string | undefined {
  const date = text(value);
  return date !== undefined && birthdateForm.test(date) ? date : undefined;
}

function address(value: PersonClaims["address"]): Record<string, string> | undefined {
  const members = addressMembers.flatMap((name) => {
    const member = value && Object.hasOwn(value, name) ? text(value[name]) : undefined;
    return member === undefined ? [] : [[name, member] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** Converts milliseconds to seconds, the unit of updated_at (OIDC Core §5.1). */
function seconds(milliseconds: number): number | undefined {
  return Number.isFinite(milliseconds) && milliseconds > 0 ? Math.floor(milliseconds / 1000) : undefined;
}
