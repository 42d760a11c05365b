/** Reads users of Auth0: the NDJSON of an export job, or the one with password hashes that its support makes. */
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
  yield { kind: "user", row, isInactive: user.blocked === true, totp, metadata, line };
  if (id?.includes("|")) yield { kind: "lost", what: "the | in ids", why: "a dot takes its place, so `sub` changes" };
  if (!hash) yield { kind: "lost", what: "passwords", why: "only the export by Auth0's support has their hashes" };
  for (const identity of asList(user.identities).map(asObject)) {
    if (identity.provider !== "auth0") {
      yield { kind: "lost", what: "links to identity providers", why: "they are not imported" };
    }
  }
}

export const auth0: ExportSource = {
  name: "Auth0",
  needsOrganization: true,
  json: { isSequence: true, opens: (path, isArray) => path.length === 1 && isArray },
  isRecognized: ({ value }) => "user_id" in asObject(value) || "_id" in asObject(value),
  read: ({ value, line }: JsonPart) => readUser(asObject(value), line),
};
