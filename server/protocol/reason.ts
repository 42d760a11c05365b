/**
 * Why a value is rejected: an id and the values of its sentence. This file has the English sentences, which follow the
 * name of the field; the other languages are in the message files (`messages/<tag>/console/refusals.json`) under the
 * same ids. Reasons are never recognized by their sentence. Values of the request are never part of one, as they may be
 * secrets, except for public names.
 */

/** The sentences; placeholders such as `{n}` are replaced. */
export const REASONS = {
  // Anything.
  required: "is required",
  not_valid: "does not have the right form",
  unknown_member: "is not known here: use one of {known}",
  array: "must be an array",
  boolean: "must be true or false",
  object: "must be an object",
  depth: "must be nested at most {n} levels deep",
  string: "must be a string",
  number: "must be a number",
  exactly: "must be {value}",
  one_of: "must be one of {values}",
  one_or_other: 'needs either "{one}" or "{other}"',
  same_as: "is the same as {place}",
  // Texts.
  empty: "must not be empty",
  too_long: "must have at most {n} characters",
  too_short: "must have at least {n} characters",
  control: "must not contain control characters",
  blanks: "must not begin or end with spaces",
  not_text: "must be well-formed text",
  id_characters: "must be 1 to 200 of the characters A-Z a-z 0-9 . _ @ -",
  two_scopes: "is the name of two scopes: rename one of them",
  scope_characters: "must be 1 to {n} printable ASCII characters, without spaces, double quotes and backslashes",
  scope_taken: "is a scope of the service itself: choose another name",
  claim_characters: "must be 1 to 100 of the characters A-Z a-z 0-9 _ . : / -, the first a letter",
  claim_taken: "is a claim with a meaning of its own: choose another name",
  only_dots: "must not consist of dots alone",
  printable: "must be 1 to 200 printable ASCII characters, without spaces",
  at_sign: "must not begin or end with @",
  email: "must be an email address, such as name@example.com",
  domain: "must be a domain name, such as example.com",
  phone: "must be + and 5 to 15 digits, such as +441234567890",
  web_address: "must be an http:// or https:// address",
  language_tag: "must be a BCP 47 language tag, such as en",
  base_language: "must be a language without script or region, such as cy",
  gender: "must be female, male or diverse",
  birthdate: "must be a date, such as 1815-12-10",
  time_zone: "must be a time zone, such as Europe/London",
  colour: "must be a colour, such as #0a66c2",
  base64: "must be base64, and not empty",
  bytes: "must have 1 to {n} bytes",
  // Numbers, times and lists.
  whole_number: "must be a whole number",
  least: "must be at least {n}",
  most: "must be at most {n}",
  between: "must be between {least} and {most}",
  duration: "must be a duration, such as 60s, 10m, 1h or 30d",
  duration_most: "must be a duration of at most {most}, such as 60s, 10m, 1h or 30d",
  duration_least: "must be a duration of at least {least}, such as 60s, 10m, 1h or 30d",
  duration_seconds: "must be a duration from 0s to 5s",
  seconds: "must be seconds, such as 864000s",
  time: "must be a time, such as 2030-01-01T00:00:00Z",
  time_range: "must be a time between the years 1970 and 9999",
  entries: "must have at most {n} entries",
  least_entries: "must have at least {n} entries",
  one_role: "must have at least one role",
  one_user: "must name at least one user",
  one_query: "must have exactly one query",
  page_token: "must be the page token of an earlier answer",
  // Addresses: redirect-uri.ts, public-address.ts, config/value-parsers.ts.
  long_address: "must have at most {n} characters",
  fragment: "must not have a fragment (#…)",
  resource_uri: "must be an https:// URI of at most {n} characters, without user name and spaces",
  resource_domain: "must be under a domain that the organization has proven",
  resource_own: "must not be an address of this service",
  resource_taken: "is a resource of a project already",
  wildcard: "must not have a wildcard (*)",
  uri_characters: "must have only the characters of RFC 3986, anything else percent-encoded",
  absolute: "must be an absolute address, such as https://app.example.com/callback",
  answer_parameter: "must not have the parameter {name}, which belongs to the answer",
  address_parts: "must be scheme, host and path, without user name",
  no_user_name: "must not have a user name",
  https: "must use https",
  one_sector: "is required, because the redirect URIs do not have one host",
  sector_list: "does not list every redirect URI",
  not_read: "could not be read",
  redirect_origin: "must have scheme, host and port of a redirect URI, and no fragment",
  https_or_dev: "must use https, unless devMode is on",
  scheme: "must not use this scheme: use https",
  own_scheme: "must not use this scheme: one of an app's own is a domain name in reverse, such as com.example.app",
  private_network: "must not be an address of this machine or of a private network",
  origin: "must be scheme and host alone, such as https://app.example.com",
  authorization_address: "must be the authorization address",
  smtp_address: "must be an address that starts with smtp:// or smtps://",
  smtp_port: "must have port 25, 465, 587 or 2525",
  directory_address: "must be an address that starts with ldaps:// or ldap://, without path",
  directory_port: "must have port 389, 636, 3268 or 3269",
  directory_tls: "must use ldaps, or ldap with startTls",
  directory_attribute: "must be the name of an attribute, such as mail",
  certificates: "must be certificates in PEM format",
  no_parameters: "must not have parameters (?…)",
  mailbox: "must be one email address, with or without a name",
  mail_host: "must be a host name, with or without a port, such as mail.example.com:587",
  sender_name: 'must not contain < > or "',
  no_mail_user: "is for a user, and none is set: set the user as well",
  password_bound: "is required: the saved one is only for the server, port and user it was given for",
  letters_digits: "must be letters and digits of the Latin alphabet alone",
  signing_key: "must be whsec_ and 24 to 64 bytes as base64",
  sms_sender: "must be a phone number, a short code, or a name of at most 11 letters and digits",
  no_verify_service: "must be left out: codes are made and checked by this service",
  apple_key: "must be the private key on P-256 (.p8) that Apple made for the key id",
  saml_xml: "must be SAML metadata in well-formed XML, without a document type",
  saml_provider: "must describe exactly one SAML identity provider, with its entityID",
  saml_address: "must have a SingleSignOnService at an https:// address for HTTP-Redirect or HTTP-POST",
  saml_signing_key: "must have 1 to {n} signing certificates: RSA of {bits} bits or more, or ECDSA by P-256 to P-521",
  saml_unreachable: "must be an address that answers with SAML metadata within a few seconds",
  token_bound: "is required: the saved one is only for the address it was given for",
  // Keys and passwords.
  private_key: "must be a public key; this one is private",
  symmetric_key: "must be a public key; this one is symmetric",
  key_use: 'must be for signatures: "use": "sig"',
  zero_character: "must not contain U+0000",
  public_key: "must be a public key in PEM format",
  public_jwk: "must be a public key in JWK format",
  key_bits: "must have at least {n} bits",
  key_bits_most: "must have at most {n} bits",
  exponent: "must have a public exponent of at most 32 bits",
  rsa_private_key: "must be an RSA private key in PEM format",
  sender_domain: "must be the domain of the sender's address, or one above it",
  key_kind: "must be RSA, P-256, P-384, P-521 or Ed25519",
  kid_taken: "is the kid of another key: choose another",
  hash_unknown:
    "must be a hash by argon2id, argon2i, bcrypt, scrypt, PBKDF2, SHA-crypt, PHPass or Firebase, or a salted one of LDAP, with its parameters, for example $2b$12$… or $argon2id$v=19$m=…,t=…,p=…$salt$hash",
  hash_slow:
    "would take {seconds} seconds to verify, and at most one is allowed: ask these users to choose a new password",
  hash_weak: "is unsalted or made by MD5: set allowWeakHashes to import it all the same",
  hash_cost:
    "must use {least} to {memory} KiB of memory, 1 to {passes} passes and 1 to {lanes} lanes, and no more than {work} KiB times passes (m × t): verifying it would take too long",
  password_or_hash: "needs a password or a hash, not both",
  common_password: "is on a list of commonly used passwords: choose another",
  personal_password: "contains the name or the address of the user: choose another",
  same_password: "must differ from the current one",
  code_way: "sends the code or returns it, not both",
  hasUppercase: "must have an uppercase letter",
  hasLowercase: "must have a lowercase letter",
  hasNumber: "must have a number",
  hasSymbol: "must have a symbol, such as % or #",
  // Names that are taken, and the bootstrap file.
  reserved: "is the name of this service itself in audiences: choose another",
  reserved_console: "is the name of the console: choose another",
  reserved_document: "is the address of a metadata document: choose another",
  primary_unverified: 'the primary domain must be verified too: "verified": true',
  foreign_domain: "ends in {domain}, which is a verified domain of {place}",
  verified_elsewhere: "is verified in another organization: use another domain",
  several: "several {what} have this name: give the id of the one that you mean",
  elsewhere: "belongs to another {what}",
  other_kind: "belongs to a {kind} already",
  app_kind: "the app is of kind {kind} already",
  client_id_taken: "is the client id of app {id} already",
  login_name_taken: "the login name {name} is taken by a user of another organization: choose another",
  login_name_of: "the login name of {name} is taken by user {owner}: choose another",
  secret_required: "is required with {method}",
  project_role: "must be a role of this project",
  own_client_id: "must be the client id of an app that may get the tokens",
  no_user: "must be a user of this service",
  no_other_organization: "must be another organization of this service",
  client_id: "must be a client id: printable ASCII characters, at most {n}",
  any_host: "can only be blocked: otherwise users would not be asked about any app",
  text_only: "a {type} message has only text",
} as const;

export type ReasonId = keyof typeof REASONS;

type Named<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Named<Rest>
  : never;
type Value = string | number;
/** The values for the placeholders of a sentence; usually none. */
type Filling<Id extends ReasonId> = [Named<(typeof REASONS)[Id]>] extends [never]
  ? []
  : [values: Readonly<Record<Named<(typeof REASONS)[Id]>, Value>>];

/** A reason whose sentence has no placeholders. */
export type PlainReasonId = { [Id in ReasonId]: [Named<(typeof REASONS)[Id]>] extends [never] ? Id : never }[ReasonId];

const brand: unique symbol = Symbol("Reason");

export interface Reason {
  readonly [brand]: true;
  readonly id: ReasonId;
  readonly values: Readonly<Record<string, Value>>;
}

export function reason<Id extends ReasonId>(id: Id, ...[values]: Filling<Id>): Reason {
  return { [brand]: true, id, values: values ?? {} };
}

export const isReason = (value: unknown): value is Reason =>
  typeof value === "object" && value !== null && (value as { [brand]?: unknown })[brand] === true;

/** Replaces the placeholders of a sentence; placeholders inside values are not replaced. */
export const fillIn = (sentence: string, values: Reason["values"]): string =>
  sentence.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));

/** Returns the English sentence, which follows the name of the field. */
export const sentenceOf = ({ id, values }: Reason): string => fillIn(REASONS[id], values);

/** Returns the English sentence in the message of a zod check; a message without a reason is returned unchanged. */
export const englishOf = (message: string): string =>
  message.startsWith(PREFIX) ? sentenceOf(readReason(message)) : message;

/** Marks a message that contains a reason, as zod's issues contain only a text. */
const PREFIX = "reason ";

/** Returns a reason as the message of a zod check, for `readReason`. */
export function issue<Id extends ReasonId>(id: Id, ...filling: Filling<Id>): string {
  return asMessage(reason(id, ...filling));
}

export const asMessage = ({ id, values }: Reason): string => PREFIX + JSON.stringify([id, values]);

/** Returns the reason in the message of a zod issue. Zod's own messages become "not valid". */
export function readReason(message: string): Reason {
  if (!message.startsWith(PREFIX)) return reason("not_valid");
  const [id, values] = JSON.parse(message.slice(PREFIX.length)) as [ReasonId, Reason["values"]];
  return { [brand]: true, id, values };
}
