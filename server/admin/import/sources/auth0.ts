/** Reads users of Auth0: the NDJSON of an export job, or the one with password hashes that its support makes. */
import type { IdentityProviderKind } from "../../../protocol/identity-provider";
import {
  asList,
  asObject,
  type Exported,
  type ExportSource,
  metadataOf,
  namesOf,
  phoneOf,
  trimmedText,
  withoutUndefined,
} from "./found";
import type { JsonPart } from "./json-parts";

/** Ids here have no `|`. */
const idOf = (given: string) => given.replaceAll("|", ".");

/** Auth0's names of providers that call an account the same here. */
const KINDS: Readonly<Record<string, IdentityProviderKind>> = {
  ...{ "google-oauth2": "google", github: "github", apple: "apple" },
};
/** Auth0's names of ways to sign in that are no providers here, or whose ids differ. */
const FOREIGN_IDS: Readonly<Record<string, string>> = {
  windowslive: "Auth0 stores another id than Microsoft's sign-in has; users link their accounts themselves",
  waad: "Auth0 stores another id than Microsoft's sign-in has; users link their accounts themselves",
  email: "users sign in with a password or a passkey",
  sms: "users sign in with a password or a passkey",
};

function* readUser(user: Record<string, unknown>, line: number): Iterable<Exported> {
  const oid = trimmedText(asObject(user._id).$oid);
  const id = trimmedText(user.user_id) ?? (oid && `auth0|${oid}`);
  const email = trimmedText(user.email);
  const custom = asObject(asObject(user.custom_password_hash).hash);
  const hash = trimmedText(user.passwordHash) ?? trimmedText(user.password_hash) ?? trimmedText(custom.value);
  const userName = trimmedText(user.username) ?? email ?? trimmedText(user.phone_number);
  const number = phoneOf(user.phone_number);
  const apps = asList(user.mfa_factors).map((factor) => trimmedText(asObject(asObject(factor).totp).secret));
  const row = withoutUndefined({
    userId: id && idOf(id),
    userName,
    profile: withoutUndefined({
      ...namesOf(user.given_name, user.family_name, user.name, userName ?? ""),
      nickName: trimmedText(user.nickname),
    }),
    email: email && { email, isEmailVerified: user.email_verified === true },
    phone: number && { phone: number, isPhoneVerified: user.phone_verified === true },
    hashedPassword: hash && { value: hash },
  });
  const metadata = metadataOf({ ...asObject(user.user_metadata), ...asObject(user.app_metadata) });
  const totp = apps.find((secret) => secret !== undefined);
  const identities = asList(user.identities).map(asObject);
  const links = identities.flatMap(({ provider, connection, user_id }) => {
    const name = String(connection ?? provider);
    if (provider === "auth0" || String(provider) in FOREIGN_IDS) return [];
    return [{ provider: name, kind: KINDS[String(provider)], externalId: String(user_id) }];
  });
  yield { kind: "user", row, isInactive: user.blocked === true, totp, metadata, links, line };
  if (id?.includes("|")) yield { kind: "lost", what: "the | in ids", why: "a dot takes its place, so `sub` changes" };
  if (!hash) yield { kind: "lost", what: "passwords", why: "only the export by Auth0's support has their hashes" };
  for (const provider of identities.map((identity) => String(identity.provider))) {
    const why = FOREIGN_IDS[provider];
    if (why) yield { kind: "lost", what: `links to ${provider}`, why };
  }
}

export const auth0: ExportSource = {
  name: "Auth0",
  needsOrganization: true,
  json: { isSequence: true, opens: (path, isArray) => path.length === 1 && isArray },
  isRecognized: ({ value }) => "user_id" in asObject(value) || "_id" in asObject(value),
  read: ({ value, line }: JsonPart) => readUser(asObject(value), line),
};
