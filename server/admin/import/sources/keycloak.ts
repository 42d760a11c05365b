/** Reads the export of a Keycloak realm: `kc.sh export`, with its users in the same file or in files of their own. */
import {
  asList,
  asObject,
  type Exported,
  type ExportSource,
  languageOf,
  type MovedPasskey,
  metadataOf,
  namesOf,
  phoneOf,
  trimmedText,
  trimmedTexts,
  withoutUndefined,
} from "./found";
import type { JsonPart } from "./json-parts";

/** Keycloak's own clients. */
const BUILT_IN_CLIENTS = new Set([
  ...["account", "account-console", "admin-cli", "broker", "realm-management", "security-admin-console"],
]);
const BUILT_IN_ROLE = /^(?:default-roles-.*|offline_access|uma_authorization|create-realm|admin)$/;
const REALM = "realm";
const FIELDS = new Set(["locale", "phoneNumber", "phoneNumberVerified", "picture"]);

const parseInner = (value: unknown): Record<string, unknown> => {
  try {
    return asObject(typeof value === "string" ? JSON.parse(value) : value);
  } catch {
    return {};
  }
};
const firstOf = (value: unknown) => (Array.isArray(value) ? (value[0] as unknown) : value);
/** passlib's base64, which PBKDF2 hashes have here. */
const adapted = (base64: string) => base64.replaceAll("+", ".").replace(/=+$/, "");

/** Writes a stored credential as a PHC or crypt text, or returns undefined. */
function keycloakHash(credential: Readonly<Record<string, unknown>>): string | undefined {
  const { value, salt } = parseInner(credential.secretData);
  const { hashIterations, algorithm, additionalParameters } = parseInner(credential.credentialData);
  if (typeof value !== "string" || typeof salt !== "string" || typeof algorithm !== "string") return undefined;
  if (/^pbkdf2(?:-sha(?:256|512))?$/.test(algorithm)) {
    return `$${algorithm}$${hashIterations}$${adapted(salt)}$${adapted(value)}`;
  }
  if (algorithm !== "argon2") return undefined;
  const parameters = asObject(additionalParameters);
  const [type, memory, lanes] = [parameters.type, parameters.memory, parameters.parallelism].map(firstOf);
  const bare = (text: string) => text.replace(/=+$/, "");
  return `$argon2${type ?? "id"}$v=19$m=${memory},t=${hashIterations},p=${lanes}$${bare(salt)}$${bare(value)}`;
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** The secret of an authenticator app, if it makes codes as ours do: six digits by SHA-1, every thirty seconds. */
function keycloakTotp(credential: Readonly<Record<string, unknown>>): string | undefined {
  const secret = trimmedText(parseInner(credential.secretData).value);
  const { subType, digits, period, algorithm, secretEncoding } = parseInner(credential.credentialData);
  const isOurs = subType === "totp" && digits === 6 && period === 30 && algorithm === "HmacSHA1";
  if (secret === undefined || !isOurs) return undefined;
  return secretEncoding === "BASE32" ? secret : toBase32(Buffer.from(secret));
}

function keycloakPasskey({ type, userLabel, credentialData }: Readonly<Record<string, unknown>>): MovedPasskey[] {
  const { credentialId, credentialPublicKey, counter, aaguid, transports } = parseInner(credentialData);
  const [id, publicKey] = [trimmedText(credentialId), trimmedText(credentialPublicKey)];
  if (!/^webauthn/.test(String(type)) || id === undefined || publicKey === undefined) return [];
  return [
    {
      ...{ id, publicKey, name: trimmedText(userLabel), transports: trimmedTexts(transports) },
      counter: Number(counter) || 0,
      aaguid: trimmedText(aaguid) ?? "",
      isPasswordless: type === "webauthn-passwordless",
    },
  ];
}

function* readUser(user: Record<string, unknown>, line: number): Iterable<Exported> {
  if (trimmedText(user.serviceAccountClientId)) {
    const given = trimmedTexts(user.realmRoles).some((role) => !BUILT_IN_ROLE.test(role));
    if (given) yield { kind: "lost", what: "roles of service accounts", why: "give them to the machine users" };
    return;
  }
  const userId = trimmedText(user.id);
  const userName = trimmedText(user.username);
  const attributes = asObject(user.attributes);
  const credentials = asList(user.credentials).map(asObject);
  const password = credentials.find(({ type }) => type === "password");
  const hash = password && keycloakHash(password);
  const email = trimmedText(user.email);
  const number = phoneOf(firstOf(attributes.phoneNumber));
  const app = credentials.find(({ type }) => type === "otp");
  const row = withoutUndefined({
    userId,
    userName,
    profile: withoutUndefined({
      ...namesOf(user.firstName, user.lastName, undefined, userName ?? ""),
      preferredLanguage: languageOf(firstOf(attributes.locale)),
    }),
    email: email && { email, isEmailVerified: user.emailVerified === true },
    phone: number && { phone: number, isPhoneVerified: firstOf(attributes.phoneNumberVerified) === "true" },
    hashedPassword: hash && { value: hash },
    passwordChangeRequired: trimmedTexts(user.requiredActions).includes("UPDATE_PASSWORD") ? true : undefined,
  });
  const metadata = metadataOf(Object.fromEntries(Object.entries(attributes).filter(([key]) => !FIELDS.has(key))));
  const totp = app && keycloakTotp(app);
  const links = asList(user.federatedIdentities).flatMap((identity) => {
    const { identityProvider, userId: externalId, userName: name } = asObject(identity);
    return [{ provider: String(identityProvider), externalId: String(externalId), userName: trimmedText(name) }];
  });
  const parts = { totp, metadata, links, passkeys: credentials.flatMap(keycloakPasskey) };
  yield { kind: "user", organization: REALM, row, isInactive: user.enabled === false, ...parts, line };
  if (password && !hash) yield { kind: "lost", what: "passwords", why: "their algorithm is not known here" };
  if (app && !totp) yield { kind: "lost", what: "authenticator apps", why: "only TOTP by SHA-1, 6 digits, 30 s" };
  for (const _ of asList(user.groups)) yield { kind: "lost", what: "memberships of groups", why: NO_GROUPS };
  const roles = trimmedTexts(user.realmRoles).filter((role) => !BUILT_IN_ROLE.test(role));
  const ofClients = Object.entries(asObject(user.clientRoles)).flatMap(([client, names]) =>
    BUILT_IN_CLIENTS.has(client) ? [] : trimmedTexts(names).map((name) => `${client}:${name}`),
  );
  const roleKeys = [...roles, ...ofClients];
  if (userId !== undefined && roleKeys.length > 0) yield { kind: "user grant", project: REALM, userId, roleKeys };
}
const NO_GROUPS = "there are no groups: give roles of the project";

function* readRoles(roles: Record<string, unknown>): Iterable<Exported> {
  const role = (roleKey: string, description: unknown): Exported => {
    const entry = withoutUndefined({ roleKey, displayName: trimmedText(description) });
    return { kind: "of project", project: REALM, list: "roles", entry };
  };
  for (const { name, description } of asList(roles.realm).map(asObject)) {
    if (!BUILT_IN_ROLE.test(String(name))) yield role(String(name), description);
  }
  for (const [client, list] of Object.entries(asObject(roles.client))) {
    if (BUILT_IN_CLIENTS.has(client)) continue;
    for (const { name, description } of asList(list).map(asObject)) yield role(`${client}:${name}`, description);
  }
}

/** Addresses without wildcards, which are not matched here. */
function* readClient(client: Record<string, unknown>): Iterable<Exported> {
  const clientId = String(client.clientId);
  if (BUILT_IN_CLIENTS.has(clientId)) return;
  if (client.protocol !== undefined && client.protocol !== "openid-connect") {
    yield { kind: "lost", what: `client ${clientId}`, why: `its protocol is ${client.protocol}` };
    return;
  }
  const name = trimmedText(client.name)?.replace(/^\$\{.*\}$/, clientId) ?? clientId;
  const secret = trimmedText(client.secret);
  const clientSecret = secret && /^\*+$/.test(secret) ? undefined : secret;
  if (client.bearerOnly === true) {
    yield {
      kind: "of project",
      project: REALM,
      list: "apps",
      entry: { name, api: withoutUndefined({ clientId, clientSecret }) },
    };
    return;
  }
  if (client.serviceAccountsEnabled === true) {
    if (client.standardFlowEnabled === false) {
      const entry = withoutUndefined({ userName: clientId, name, secret: clientSecret });
      yield { kind: "of organization", organization: REALM, list: "machines", entry };
      return;
    }
    const why = "the client also signs in users; add a machine user with another name";
    yield { kind: "lost", what: `service account of ${clientId}`, why };
  }
  const isPublic = client.publicClient === true;
  const uris = trimmedTexts(client.redirectUris);
  const logout = trimmedText(asObject(client.attributes)["post.logout.redirect.uris"])?.split("##") ?? [];
  const exact = (all: string[]) => all.filter((uri) => URL.canParse(uri) && !uri.includes("*"));
  for (const uri of uris.filter((one) => !exact([one]).length)) {
    yield {
      kind: "lost",
      what: `redirect URI ${uri} of ${clientId}`,
      why: "wildcards and relative addresses are not matched",
    };
  }
  const oidc = withoutUndefined({
    clientId,
    clientSecret: isPublic ? undefined : clientSecret,
    redirectUris: exact(uris),
    postLogoutRedirectUris: exact(logout),
    appType: isPublic ? "OIDC_APP_TYPE_USER_AGENT" : "OIDC_APP_TYPE_WEB",
    authMethodType: isPublic ? "OIDC_AUTH_METHOD_TYPE_NONE" : "OIDC_AUTH_METHOD_TYPE_BASIC",
    grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
    isThirdParty: client.consentRequired === true ? true : undefined,
  });
  yield { kind: "of project", project: REALM, list: "apps", entry: { name, oidc } };
}

/** The kinds of providers that have the settings that the file contains. */
const PROVIDERS: Readonly<Record<string, string>> = {
  ...{ github: "github", gitlab: "gitlab", google: "google", microsoft: "azureAd", oidc: "oidc" },
  "keycloak-oidc": "oidc",
};

function* readProvider({ alias, displayName, providerId, config }: Record<string, unknown>): Iterable<Exported> {
  const [key, name = key] = [String(alias), trimmedText(displayName)];
  const kind = PROVIDERS[String(providerId)];
  yield { kind: "provider name", key, name };
  if (kind === undefined) {
    yield { kind: "lost", what: `identity provider ${name}`, why: `set it up again: its kind is ${providerId}` };
    return;
  }
  const { issuer, clientId, clientSecret: secret, defaultScope, tenantId } = asObject(config);
  const settings = withoutUndefined({
    issuer: kind === "oidc" ? issuer : undefined,
    tenant: kind === "azureAd" && trimmedText(tenantId) ? { tenantId } : undefined,
    clientId,
    clientSecret: /^\*+$/.test(String(secret)) ? undefined : trimmedText(secret),
    scopes: trimmedText(defaultScope)?.split(/\s+/),
  });
  // Not offered: the provider does not know this service's redirect address yet.
  const entry = { name, offered: false, [kind]: settings };
  yield { kind: "of organization", organization: REALM, list: "identityProviders", entry };
}

const LOST: Readonly<Record<string, string>> = {
  groups: NO_GROUPS,
  identityProviderMappers: "map attributes and roles on the provider's page",
  smtpServer: "set it on the page Email providers",
  authenticationFlows: "policies take their place",
  components: "keys and user federation are not imported",
};

export const keycloak: ExportSource = {
  name: "Keycloak",
  needsOrganization: false,
  json: { opens: (path, isArray) => (path.length === 0 && !isArray) || (path.length === 1 && path[0] === "users") },
  isRecognized: ({ path }) => path[0] === "realm",
  *read({ path: [member, number], value, line }: JsonPart): Iterable<Exported> {
    if (member === "realm") {
      yield { kind: "organization", key: REALM, entry: { name: value } };
      yield { kind: "project", organization: REALM, key: REALM, entry: { name: value } };
    } else if (member === "users" && number !== undefined) yield* readUser(asObject(value), line);
    else if (member === "webAuthnPolicyRpId" || member === "webAuthnPolicyPasswordlessRpId") {
      yield { kind: "passkey domain", isPasswordless: /less/.test(member), domain: trimmedText(value) ?? "" };
    } else if (member === "identityProviders") for (const one of asList(value)) yield* readProvider(asObject(one));
    else if (member === "roles") yield* readRoles(asObject(value));
    else if (member === "clients") for (const one of asList(value)) yield* readClient(asObject(one));
    else if (
      typeof member === "string" &&
      LOST[member] &&
      Object.keys(asObject(value)).length + asList(value).length > 0
    )
      yield { kind: "lost", what: member, why: LOST[member] };
  },
};
