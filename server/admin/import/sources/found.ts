/** What an export of another system contains, in the terms of the bootstrap file and of the bulk import. */
import type { IdentityProviderKind } from "../../../protocol/identity-provider";
import type { JsonPart, ReadingOptions } from "./json-parts";

/** An account at an identity provider, by which a user signs in. */
export interface MovedLink {
  /** What the file calls the provider. */
  provider: string;
  /** The kind that the provider has here, if the old system has one provider of it. */
  kind?: IdentityProviderKind;
  externalId: string;
  userName?: string;
}

/** A WebAuthn credential; texts are base64, of either alphabet. */
export interface MovedPasskey {
  id: string;
  /** COSE. */
  publicKey: string;
  counter: number;
  transports: readonly string[];
  aaguid: string;
  name?: string;
  /** Whether it signs in without a password. */
  isPasswordless: boolean;
}

/** What users have besides the row of the bulk import. */
export interface UserParts {
  /** The secret of an authenticator app, in base32. */
  totp?: string;
  metadata?: Readonly<Record<string, string>>;
  links?: readonly MovedLink[];
  passkeys?: readonly MovedPasskey[];
}

/** A user, as a row of the bulk import, and what the row cannot contain. */
export interface MovedUser extends UserParts {
  kind: "user";
  /** The key of the organization, or undefined for the one that the operator names. */
  organization?: string;
  row: Readonly<Record<string, unknown>> & { userName?: string; userId?: string };
  isInactive?: boolean;
  line: number;
}

/** Members of the bootstrap file; they are checked when they are applied. */
type Entry = Readonly<Record<string, unknown>>;

export type Exported =
  | MovedUser
  /** A part of an organization; several parts of one key are merged. */
  | { kind: "organization"; key: string; entry: Entry }
  /** A member of a list of the organization. */
  | { kind: "of organization"; organization: string; list: ExportedList; entry: Entry }
  | { kind: "project"; organization: string; key: string; entry: Entry }
  | { kind: "of project"; project: string; list: "roles" | "apps" | "grants"; entry: Entry }
  | { kind: "user grant"; project: string; userId: string; roleKeys: readonly string[] }
  | { kind: "member"; organization: string; userId: string; roles: readonly string[] }
  /** What the file calls the grant of a project to an organization. */
  | { kind: "grant name"; key: string; project: string; organization: string }
  | { kind: "grant member"; grant: string; userId: string; roles: readonly string[] }
  /** Parts of a user that the file lists apart from them. */
  | { kind: "parts"; userId: string; parts: UserParts }
  /** A key of a machine or of an app. */
  | { kind: "key"; of: "machine" | "app"; id: string; clientId?: string; entry: Entry }
  /** The name that a provider of the file has here. */
  | { kind: "provider name"; key: string; name: string }
  /** The domain (RP ID) of passkeys; empty if it is that of the old system. */
  | { kind: "passkey domain"; isPasswordless: boolean; domain: string }
  /** What has no counterpart here. Equal ones are counted. */
  | { kind: "lost"; what: string; why: string };

export type ExportedList = "domains" | "machines" | "messageTexts" | "loginTexts" | "identityProviders";

/** Reads the exports of one system. */
export interface ExportSource {
  /** The name in reports. */
  name: string;
  /** Whether the file has no organization, so that the operator names one. */
  needsOrganization: boolean;
  /** Undefined for CSV. */
  json?: ReadingOptions;
  /** Whether a part shows that the file is an export of the system. */
  isRecognized(part: JsonPart): boolean;
  read(part: JsonPart): Iterable<Exported>;
}

/** The value, if it is an object. */
export const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The value, if it is a text that is not empty. */
export const trimmedText = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

export const trimmedTexts = (value: unknown): string[] => asList(value).flatMap((one) => trimmedText(one) ?? []);

/** The members that are not undefined. */
export const withoutUndefined = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;

/** Returns the language tag in canonical form, or undefined for any other text. */
export function languageOf(value: unknown): string | undefined {
  const tag = trimmedText(value)?.replaceAll("_", "-");
  try {
    return tag === undefined || tag === "und" ? undefined : Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** The names of a user, from what there is: both are required here, and in few other systems. */
export function namesOf(first: unknown, last: unknown, whole: unknown, fallback: string) {
  const [firstName, lastName] = [trimmedText(first), trimmedText(last)];
  const display = trimmedText(whole);
  const [head = fallback, ...rest] = (display ?? fallback).split(/\s+/);
  return {
    firstName: firstName ?? (lastName === undefined ? head : fallback),
    lastName: lastName ?? (firstName === undefined && rest.length > 0 ? rest.join(" ") : (display ?? fallback)),
    ...(display !== undefined && { displayName: display }),
  };
}

/** Returns the number in E.164, or undefined for any other text. */
export function phoneOf(value: unknown): string | undefined {
  const number = trimmedText(value)?.replace(/[\s().-]/g, "");
  return number !== undefined && /^\+[1-9]\d{4,14}$/.test(number) ? number : undefined;
}

/** Values of any kind as texts. */
export function metadataOf(values: Readonly<Record<string, unknown>>): Record<string, string> | undefined {
  const entries = Object.entries(values).flatMap(([key, value]) => {
    const list = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
    if (list === null || list === undefined || list === "") return [];
    return [[key, typeof list === "string" ? list : JSON.stringify(list)]];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
