/** Reads users of Okta: the JSON of `GET /api/v1/users`, whose pages may follow each other in one file. */
import {
  asObject,
  type Exported,
  type ExportSource,
  languageOf,
  metadataOf,
  namesOf,
  phoneOf,
  trimmedText,
  withoutUndefined,
} from "./found";
import type { JsonPart } from "./json-parts";

const FIELDS = new Set([
  ...["login", "email", "firstName", "lastName", "displayName", "nickName", "preferredLanguage", "locale"],
  ...["mobilePhone", "primaryPhone", "secondEmail"],
]);

function* readUser({ id, status, profile: given_ }: Record<string, unknown>, line: number): Iterable<Exported> {
  const profile = asObject(given_);
  const [login, email] = [trimmedText(profile.login), trimmedText(profile.email)];
  const number = phoneOf(profile.mobilePhone);
  const row = withoutUndefined({
    userId: trimmedText(id),
    userName: login,
    profile: withoutUndefined({
      ...namesOf(profile.firstName, profile.lastName, profile.displayName, login ?? ""),
      nickName: trimmedText(profile.nickName),
      preferredLanguage: languageOf(profile.preferredLanguage) ?? languageOf(profile.locale),
    }),
    // An active user has opened the link in Okta's mail.
    email: email && { email, isEmailVerified: status !== "STAGED" && status !== "PROVISIONED" },
    phone: number && { phone: number },
  });
  const metadata = metadataOf(Object.fromEntries(Object.entries(profile).filter(([key]) => !FIELDS.has(key))));
  const isInactive = status === "SUSPENDED" || status === "DEPROVISIONED";
  yield { kind: "user", row, isInactive, metadata, line };
  yield { kind: "lost", what: "passwords", why: "Okta exports no hashes: users reset them by email" };
}

export const okta: ExportSource = {
  name: "Okta",
  needsOrganization: true,
  json: { isSequence: true, opens: (path, isArray) => path.length === 1 && isArray },
  isRecognized: ({ value }) => "profile" in asObject(value) && "status" in asObject(value),
  read: ({ value, line }: JsonPart) => readUser(asObject(value), line),
};
