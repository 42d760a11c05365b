/** Reads users of Firebase: the JSON of `firebase auth:export`. */
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

function parseAttributes(value: unknown): Record<string, unknown> {
  try {
    return asObject(typeof value === "string" ? JSON.parse(value) : undefined);
  } catch {
    return {};
  }
}

/** Firebase's names of the providers that exist here. */
const KINDS: Readonly<Record<string, IdentityProviderKind>> = {
  ...{ "google.com": "google", "github.com": "github", "apple.com": "apple", "microsoft.com": "azure" },
};

function* readUser(user: Record<string, unknown>, line: number): Iterable<Exported> {
  const email = trimmedText(user.email);
  const number = phoneOf(user.phoneNumber);
  const [sum, salt] = [trimmedText(user.passwordHash), trimmedText(user.salt)];
  const userName = email ?? number ?? trimmedText(user.localId);
  const row = withoutUndefined({
    userId: trimmedText(user.localId),
    userName,
    profile: namesOf(undefined, undefined, user.displayName, userName ?? ""),
    email: email && { email, isEmailVerified: user.emailVerified === true },
    phone: number && { phone: number, isPhoneVerified: true },
    hashedPassword: sum && { value: `$fbscrypt$${salt ?? ""}$${sum}` },
  });
  const metadata = metadataOf(parseAttributes(user.customAttributes));
  const links = asList(user.providerUserInfo)
    .map(asObject)
    .flatMap(({ providerId, rawId, email: userName }) => {
      const provider = String(providerId);
      if (provider === "password" || provider === "phone") return [];
      return [{ provider, kind: KINDS[provider], externalId: String(rawId), userName: trimmedText(userName) }];
    });
  yield { kind: "user", row, isInactive: user.disabled === true, metadata, links, line };
  for (const _ of asList(user.mfaInfo)) {
    yield { kind: "lost", what: "second factors", why: "the export does not contain their secrets" };
  }
}

export const firebase: ExportSource = {
  name: "Firebase",
  needsOrganization: true,
  json: { opens: (path, isArray) => (path.length === 0 && !isArray) || (path.length === 1 && path[0] === "users") },
  isRecognized: ({ path }) => path[0] === "users",
  *read({ path: [member, number], value, line }: JsonPart) {
    if (member === "users" && number !== undefined) yield* readUser(asObject(value), line);
  },
};
