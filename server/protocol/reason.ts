/**
 * Why a value is refused: an id and what fills its sentence. Here stands the English sentence, which is read after the
 * name of the field; the other languages stand in the message files (`messages/<tag>/console/refusals.json`), under the
 * same ids. Nothing recognizes a reason by its sentence. Values of the request are never part of one, as they may be
 * secrets, but for names that everybody may see.
 */

/** `{n}` and the like are filled in. */
export const REASONS = {
  // Anything.
  required: "is required",
  not_valid: "is not valid",
  unknown_member: "is not known here (known: {known})",
  array: "must be an array",
  boolean: "must be true or false",
  object: "must be an object",
  string: "must be a string",
  number: "must be a number",
  exactly: "must be {value}",
  one_of: "must be one of {values}",
  one_or_other: 'needs either "{one}" or "{other}"',
  same_as: "is the same as {place}",
  // Texts.
  empty: "must not be empty",
  too_long: "at most {n} characters",
  too_short: "at least {n} characters",
  control: "must not contain control characters",
  blanks: "must not begin or end with blanks",
  not_text: "is not well-formed text",
  id_characters: "1 to 200 characters of A-Z a-z 0-9 . _ @ -",
  two_scopes: "is the name of two scopes",
  scope_characters: "1 to {n} printable ASCII characters without blanks, double quotes and backslashes",
  scope_taken: "is a scope of the service itself",
  claim_characters: "1 to 100 characters of A-Z a-z 0-9 _ . : / -, the first a letter",
  claim_taken: "is a claim with a meaning of its own",
  only_dots: "must not consist of dots",
  printable: "1 to 200 printable ASCII characters, no blanks",
  at_sign: "must not begin or end with @",
  email: "is not an e-mail address",
  domain: "is not a domain name",
  phone: "must be + and 5 to 15 digits, as in +441234567890",
  web_address: "must be an http:// or https:// address",
  language_tag: "is not a BCP 47 language tag",
  base_language: "must be a language without script or region, as in cy",
  gender: "must be female, male or diverse",
  birthdate: "must be a date, as in 1815-12-10",
  time_zone: "is not a time zone, as in Europe/London",
  colour: "must be a colour as #rrggbb",
  base64: "must be base64",
  bytes: "1 to {n} bytes",
  // Numbers, times and lists.
  whole_number: "must be a whole number",
  least: "must be at least {n}",
  most: "must be at most {n}",
  between: "must be between {least} and {most}",
  duration: "must be a duration, as in 60s, 10m, 1h or 30d",
  duration_least: "must be a duration, as in 60s, 10m, 1h or 30d, at least {least}",
  duration_seconds: "must be a duration from 0s to 5s",
  seconds: "must be seconds, as in 864000s",
  time: "must be a time, as in 2030-01-01T00:00:00Z",
  time_range: "must be a time between the years 1970 and 9999",
  entries: "at most {n} entries",
  least_entries: "at least {n} entries",
  one_role: "at least one role",
  one_user: "at least one user",
  one_query: "must have exactly one query",
  page_token: "is not a page token",
  // Addresses: redirect-uri.ts, public-address.ts, config-values.ts.
  long_address: "must have at most {n} characters",
  fragment: "must not have a fragment",
  wildcard: "must not have a wildcard",
  uri_characters: "must have only the characters of RFC 3986, anything else percent-encoded",
  absolute: "must be an absolute address",
  answer_parameter: "must not have the parameter {name}, which belongs to the answer",
  address_parts: "must be scheme, host and path, without user name",
  no_user_name: "must not have a user name",
  https: "must use https",
  https_or_dev: "must use https, unless devMode is on",
  scheme: "must not use this scheme",
  own_scheme:
    "must not use this scheme: one of an app's own is a domain name in reverse, with a dot, like com.example.app",
  private_network: "must not be an address of this machine or of a private network",
  origin: "must be an origin, as in https://app.example.com, without a path",
  authorization_address: "must be the authorization address",
  smtp_address: "must be an address that starts with smtp:// or smtps://",
  smtp_port: "must have port 25, 465, 587 or 2525",
  no_parameters: "must not have parameters",
  mailbox: "must be one e-mail address, with or without a name",
  mail_host: "must be a host name, with or without a port, as in mail.example.com:587",
  sender_name: 'must not contain < > or "',
  no_mail_user: "is for a user, and none is set",
  password_bound: "is required: the saved one is only for the server, port and user it was given for",
  letters_digits: "must be letters and digits alone, of the Latin alphabet",
  signing_key: "must be whsec_ and 24 to 64 bytes as base64",
  sms_sender: "must be a phone number, a short code, or a name of at most 11 letters and digits",
  no_verify_service: "must be left out: codes are made and checked by this service",
  token_bound: "is required: the saved one is only for the address it was given for",
  // Keys and passwords.
  private_key: "must be a public key; this one is private",
  symmetric_key: "must be a public key; this one is symmetric",
  key_use: 'must be for signatures: "use": "sig"',
  zero_character: "must not contain U+0000",
  public_key: "is not a public key in PEM format",
  public_jwk: "is not a public key in JWK format",
  key_bits: "must have at least {n} bits",
  key_bits_most: "must have at most {n} bits",
  exponent: "must have a public exponent of at most 32 bits",
  rsa_private_key: "must be an RSA private key in PEM format",
  sender_domain: "must be the domain of the sender's address, or one above it",
  key_kind: "must be RSA, P-256, P-384, P-521 or Ed25519",
  kid_taken: "is the kid of another key, too",
  hash_format: "must be an argon2id hash in PHC format: $argon2id$v=19$m=…,t=…,p=…$salt$hash",
  hash_cost:
    "must use {least} to {memory} KiB of memory, 1 to {passes} passes and 1 to {lanes} lanes, and no more than {work} KiB times passes (m × t): verifying it would take too long",
  password_or_hash: "needs a password or a hash, not both",
  common_password: "is among the passwords that are guessed first",
  personal_password: "is made of the person's name or address",
  same_password: "is the one that the person has already",
  code_way: "sends the code or returns it, not both",
  no_composition: "is not demanded here: it makes passwords weaker (NIST SP 800-63B §3.1.1.2)",
  // Names that somebody else has, and the bootstrap file.
  reserved: "is the name of this service itself in audiences",
  reserved_console: "is the name of the console",
  primary_unverified: 'the primary domain must be verified, too: "verified": true',
  foreign_domain: "ends in {domain}, which is a verified domain of {place}",
  verified_elsewhere: "is verified in another organization",
  several: "several {what} have this name; give the id of the one that is meant",
  elsewhere: "belongs to another {what}",
  other_kind: "belongs to a {kind} already",
  app_kind: "the app is of kind {kind} already",
  client_id_taken: "is the client id of app {id} already",
  login_name_taken: "the login name {name} is taken by a user of another organization",
  login_name_of: "the login name of {name} is taken by user {owner}",
  secret_required: "is required with {method}",
  manager_role: "does not make somebody an administrator; IAM_OWNER and ORG_OWNER do",
  project_role: "is not a role of this project",
  no_user: "is no user of this service",
  text_only: "a {type} message has only text",
} as const;

export type ReasonId = keyof typeof REASONS;

type Named<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Named<Rest>
  : never;
type Value = string | number;
/** What the sentence of a reason leaves open; nothing for most. */
type Filling<Id extends ReasonId> = [Named<(typeof REASONS)[Id]>] extends [never]
  ? []
  : [values: Readonly<Record<Named<(typeof REASONS)[Id]>, Value>>];

/** A reason whose sentence leaves nothing open. */
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

/** A sentence with its open places filled; what a value contains is not filled again. */
export const fillIn = (sentence: string, values: Reason["values"]): string =>
  sentence.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));

/** In English, to be read after the name of the field. */
export const sentenceOf = ({ id, values }: Reason): string => fillIn(REASONS[id], values);

/** The English sentence in the message of a zod check; a message that carries no reason is one already. */
export const englishOf = (message: string): string =>
  message.startsWith(PREFIX) ? sentenceOf(readReason(message)) : message;

/** How a reason travels through zod, whose issues carry nothing but a text. */
const PREFIX = "reason ";

/** A reason as the message of a zod check, for `readReason`. */
export function said<Id extends ReasonId>(id: Id, ...filling: Filling<Id>): string {
  return asMessage(reason(id, ...filling));
}

export const asMessage = ({ id, values }: Reason): string => PREFIX + JSON.stringify([id, values]);

/** The reason in the message of a zod issue. One that zod wrote itself says only that the value is not valid. */
export function readReason(message: string): Reason {
  if (!message.startsWith(PREFIX)) return reason("not_valid");
  const [id, values] = JSON.parse(message.slice(PREFIX.length)) as [ReasonId, Reason["values"]];
  return { [brand]: true, id, values };
}
