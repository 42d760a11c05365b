/** Reads the export of a ZITADEL instance: the response of `POST /admin/v1/export`, or the body of its import. */
import { isMemberRole, PROJECT_GRANT_ROLES } from "../../../directory/member/roles";
import {
  asList,
  asObject,
  type Exported,
  type ExportSource,
  languageOf,
  phoneOf,
  trimmedText,
  trimmedTexts,
  withoutUndefined,
} from "./found";
import type { JsonPart, JsonPath } from "./json-parts";

/** The path below `orgs`, in either form of the file. */
function below(path: JsonPath): JsonPath | undefined {
  const at = path[0] === "dataOrgs" || path[0] === "data_orgs" ? 1 : 0;
  return path[at] === "orgs" ? path.slice(at + 1) : undefined;
}

const opens = (path: JsonPath, isArray: boolean): boolean => {
  if (path.length === 0) return !isArray;
  if (path.length === 1 && /^data_?orgs$/i.test(String(path[0]))) return true;
  const inside = below(path);
  return inside !== undefined && (inside.length < 2 || (inside.length === 2 && isArray));
};

/** The lists of texts with our type of message. */
const MESSAGES: Readonly<Record<string, string>> = {
  initMessages: "init",
  passwordResetMessages: "passwordreset",
  verifyEmailMessages: "verifyemail",
  verifyPhoneMessages: "verifyphone",
  verifySmsOtpMessages: "verifysmsotp",
  verifySMSOTPMessages: "verifysmsotp",
  verifyEmailOtpMessages: "verifyemailotp",
  verifyEmailOTPMessages: "verifyemailotp",
  domainClaimedMessages: "domainclaimed",
  passwordlessRegistrationMessages: "passwordless_registration",
  passwordChangeMessages: "password_change",
  inviteUserMessages: "invite_user",
};
const MESSAGE_MEMBERS = ["title", "preHeader", "subject", "greeting", "text", "buttonText", "footerText"];

/** The words of pages that have a counterpart: ZITADEL's group and key, and ours. */
const WORDS: readonly (readonly [string, string, string, string])[] = [
  ["loginText", "title", "signIn", "title"],
  ["loginText", "loginNameLabel", "common", "loginName"],
  ["loginText", "registerButtonText", "signIn", "createAccount"],
  ["loginText", "nextButtonText", "common", "continue"],
  ["passwordText", "passwordLabel", "common", "password"],
  ["passwordText", "resetLinkText", "signIn", "forgotPassword"],
];

const LOST: Readonly<Record<string, string>> = {
  domainPolicy: "set it on the organization's page",
  labelPolicy: "set colors and logos on the page Branding",
  lockoutPolicy: "set it on the page Policies",
  loginPolicy: "set it on the page Policies",
  passwordComplexityPolicy: "set it on the page Policies",
  privacyPolicy: "set the links on the page Policies",
  secondFactors: "set them on the page Policies",
  multiFactors: "set them on the page Policies",
  idps: "offer the identity providers on their page",
  jwtIdps: "identity providers that issue a JWT have no counterpart",
  actions: "actions have no counterpart",
  triggerActions: "actions have no counterpart",
  projectMembers: "give the users a role in the organization",
};

function* readUser(organization: string, value: unknown, line: number): Iterable<Exported> {
  const { userId, user } = asObject(value);
  const human = asObject(user);
  const profile = asObject(human.profile);
  const email = asObject(human.email);
  const hash = trimmedText(asObject(human.hashedPassword).value);
  const number = phoneOf(asObject(human.phone).phone);
  const { firstName, lastName, nickName, displayName, gender } = profile;
  const row = withoutUndefined({
    userId: trimmedText(userId),
    userName: trimmedText(human.userName),
    profile: withoutUndefined({
      ...{ firstName, lastName, nickName, displayName, gender },
      preferredLanguage: languageOf(profile.preferredLanguage),
    }),
    email: email.email && { email: email.email, isEmailVerified: email.isEmailVerified === true },
    phone: number && { phone: number, isPhoneVerified: asObject(human.phone).isPhoneVerified === true },
    hashedPassword: hash && { value: hash },
    passwordChangeRequired: human.passwordChangeRequired === true ? true : undefined,
  });
  const links = asList(human.idps).map((idp) => {
    const { configId, externalUserId, displayName } = asObject(idp);
    return { provider: String(configId), externalId: String(externalUserId), userName: trimmedText(displayName) };
  });
  yield { kind: "user", organization, row, totp: trimmedText(human.otpCode), links, line };
  if (trimmedText(human.password)) yield { kind: "lost", what: "plain-text password", why: "users reset it by email" };
}

/** The JSON has an app below `app`, beside its id. */
function app(kind: "oidc" | "api", value: unknown): Exported {
  const { appId, app: inner } = asObject(value);
  const { projectId, name, clientId, responseTypes, grantTypes, clockSkew, ...settings } = asObject(inner);
  const known = kind === "oidc" ? OIDC_MEMBERS : ["authMethodType"];
  const kept = Object.fromEntries(known.flatMap((member) => (member in settings ? [[member, settings[member]]] : [])));
  const skew = typeof clockSkew === "string" && /^[0-5]s$/.test(clockSkew) ? clockSkew : undefined;
  const entry = { [kind]: withoutUndefined({ ...kept, clientId, responseTypes, grantTypes, clockSkew: skew }) };
  return {
    kind: "of project",
    project: String(projectId),
    list: "apps",
    entry: withoutUndefined({ id: appId, name, ...entry }),
  };
}
const OIDC_MEMBERS = [
  ...["redirectUris", "postLogoutRedirectUris", "appType", "authMethodType", "accessTokenType", "devMode"],
  ...["accessTokenRoleAssertion", "idTokenRoleAssertion", "idTokenUserinfoAssertion", "additionalOrigins"],
];

/** The JSON has the bytes of the PEM text. */
const keyOf = ({ keyId, publicKey, expirationDate }: Record<string, unknown>) =>
  withoutUndefined({
    keyId,
    publicKey: Buffer.from(String(publicKey), "base64").toString("utf8").trim(),
    expirationDate: trimmedText(expirationDate),
  });

/** Reads the members of the lists of an organization. */
const LISTS: Readonly<
  Record<string, (organization: string, one: Record<string, unknown>, line: number) => Iterable<Exported>>
> = {
  humanUsers: readUser,
  *machineUsers(organization, { userId, user }) {
    const { userName, name, description, accessTokenType } = asObject(user);
    const entry = withoutUndefined({
      id: userId,
      userName,
      name,
      description: trimmedText(description),
      accessTokenType,
    });
    yield { kind: "of organization", organization, list: "machines", entry };
  },
  *projects(organization, { projectId, project }) {
    const { name, projectRoleAssertion, projectRoleCheck, hasProjectCheck, privateLabelingSetting } = asObject(project);
    const rules = { projectRoleAssertion, projectRoleCheck, hasProjectCheck, privateLabelingSetting };
    const entry = withoutUndefined({ id: projectId, name, ...rules });
    yield { kind: "project", organization, key: String(projectId), entry };
  },
  *projectRoles(_, { projectId, roleKey, displayName, group }) {
    const entry = withoutUndefined({ roleKey, displayName: trimmedText(displayName), group: trimmedText(group) });
    yield { kind: "of project", project: String(projectId), list: "roles", entry };
  },
  *oidcApps(_, one) {
    yield app("oidc", one);
    if (!asObject(one.app).clientId) yield { kind: "lost", what: "client ids of apps", why: CLIENT_IDS };
  },
  *apiApps(_, one) {
    yield app("api", one);
    if (!asObject(one.app).clientId) yield { kind: "lost", what: "client ids of apps", why: CLIENT_IDS };
  },
  *projectGrants(_, { grantId, projectGrant }) {
    const { projectId, grantedOrgId, roleKeys } = asObject(projectGrant);
    const named = { project: String(projectId), organization: String(grantedOrgId) };
    yield { kind: "grant name", key: String(grantId), ...named };
    yield {
      kind: "of project",
      project: String(projectId),
      list: "grants",
      entry: withoutUndefined({ grantedOrgId, roleKeys }),
    };
  },
  *projectGrantMembers(_, { grantId, userId, roles }) {
    const isKnown = (role: string) => (PROJECT_GRANT_ROLES as readonly string[]).includes(role);
    const known = trimmedTexts(roles).filter(isKnown);
    if (known.length > 0) yield { kind: "grant member", grant: String(grantId), userId: String(userId), roles: known };
  },
  *userGrants(_, { userId, projectId, roleKeys }) {
    yield { kind: "user grant", project: String(projectId), userId: String(userId), roleKeys: trimmedTexts(roleKeys) };
  },
  *orgMembers(organization, { userId, roles }) {
    const known = trimmedTexts(roles).filter(isMemberRole);
    if (known.length > 0) yield { kind: "member", organization, userId: String(userId), roles: known };
    for (const role of trimmedTexts(roles)) {
      if (!isMemberRole(role)) yield { kind: "lost", what: `role ${role}`, why: "there is no such role" };
    }
  },
  *userMetadata(_, { id, key, value }) {
    const text = Buffer.from(String(value), "base64").toString("utf8");
    yield { kind: "parts", userId: String(id), parts: { metadata: { [String(key)]: text } } };
  },
  *oidcIdps(organization, { idpId, idp }) {
    const { name: given, issuer, clientId, clientSecret, scopes } = asObject(idp);
    const name = trimmedText(given) ?? String(idpId);
    yield { kind: "provider name", key: String(idpId), name };
    const secret = trimmedText(clientSecret);
    const oidc = withoutUndefined({ issuer, clientId, clientSecret: secret, scopes: trimmedTexts(scopes) });
    // Not offered: the provider does not know this service's redirect address yet.
    const entry = { name, offered: false, oidc };
    yield { kind: "of organization", organization, list: "identityProviders", entry };
  },
  *userLinks(_, { userId, idpId, idpName, providedUserId, providedUserName }) {
    const provider = trimmedText(idpName) ?? String(idpId);
    const link = { provider, externalId: String(providedUserId), userName: trimmedText(providedUserName) };
    yield { kind: "parts", userId: String(userId), parts: { links: [link] } };
  },
  *machineKeys(_, { userId, keyId, publicKey, expirationDate }) {
    yield { kind: "key", of: "machine", id: String(userId), entry: keyOf({ keyId, publicKey, expirationDate }) };
  },
  *appKeys(_, { appId, clientId, id: keyId, publicKey, expirationDate }) {
    const entry = keyOf({ keyId, publicKey, expirationDate });
    yield { kind: "key", of: "app", id: String(appId), clientId: trimmedText(clientId), entry };
  },
  *domains(organization, { domainName, domain = domainName, isVerified, isPrimary }) {
    const entry = { domain, verified: isVerified === true, primary: isPrimary === true };
    yield { kind: "of organization", organization, list: "domains", entry };
  },
  *loginTexts(organization, one) {
    const groups: Record<string, Record<string, string>> = {};
    let others = Object.values(one).reduce((sum: number, group) => sum + Object.keys(asObject(group)).length, 0);
    for (const [group, key, ours, ourKey] of WORDS) {
      const word = trimmedText(asObject(one[group])[key]);
      if (word === undefined) continue;
      groups[ours] = { ...groups[ours], [ourKey]: word };
      others--;
    }
    if (Object.keys(groups).length > 0) {
      const entry = { language: languageOf(one.language), ...groups };
      yield { kind: "of organization", organization, list: "loginTexts", entry };
    }
    for (; others > 0; others--)
      yield { kind: "lost", what: "words of sign-in pages", why: "these pages have other words" };
  },
};
const CLIENT_IDS = "the export does not contain them: set the new client id and secret in the apps";

export const zitadel: ExportSource = {
  name: "ZITADEL",
  needsOrganization: false,
  json: { opens },
  isRecognized: ({ path }) => below(path) !== undefined,
  *read({ path, value, line }: JsonPart): Iterable<Exported> {
    const [index, member, number] = below(path) ?? [];
    if (index === undefined || typeof member !== "string") return;
    const organization = String(index);
    if (member === "orgId") yield { kind: "organization", key: organization, entry: { id: value } };
    else if (member === "org") yield { kind: "organization", key: organization, entry: { name: asObject(value).name } };
    else if (number === undefined) yield { kind: "lost", what: member, why: LOST[member] ?? "it has no counterpart" };
    else if (LISTS[member]) yield* LISTS[member](organization, asObject(value), line);
    else if (MESSAGES[member]) {
      const text = asObject(value);
      const words = MESSAGE_MEMBERS.flatMap((name) => (trimmedText(text[name]) ? [[name, text[name]]] : []));
      const entry = { type: MESSAGES[member], language: languageOf(text.language), ...Object.fromEntries(words) };
      yield { kind: "of organization", organization, list: "messageTexts", entry };
    } else yield { kind: "lost", what: member, why: LOST[member] ?? "it has no counterpart" };
  },
};
