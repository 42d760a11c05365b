/**
 * The schema of the bootstrap file. Its members have the names of the management API; unknown members are mistakes.
 * Rules BOOTSTRAP-3 and BOOTSTRAP-4.
 */

import { z } from "zod";
import { appTrust } from "../directory/app/app-trust";
import { publicKeySetSchema } from "../directory/app/public-key-set";
import { apiSettingsShape, oidcSettingsShape } from "../directory/app/settings";
import { declaredDecision } from "../directory/client-decision/names";
import { INSTANCE_FEATURES } from "../directory/features";
import * as field from "../directory/fields";
import { declaredIdentityProvider, declaredOwnProvider } from "../directory/identity-provider/forms";
import { instant, pemKey } from "../directory/key-fields";
import { isMemberRole, MEMBER_ROLES, type MemberRole, PROJECT_GRANT_ROLES } from "../directory/member/roles";
import { MIN_PASSWORD_LENGTH } from "../directory/password-length";
import { canonicalBaseLanguage, MAX_LANGUAGE_NAME, ownNameOf } from "../directory/policy/added-languages";
import { BUILT_IN_LANGUAGES, type Language } from "../directory/policy/languages";
import { projectResources, projectScopes, rolesClaim } from "../directory/project/claim-fields";
import { MAX_PROJECT_GRANTS } from "../directory/project-grant/project-grant";
import { declaredEmailProvider } from "../directory/provider/smtp-address";
import { declaredSmsProvider } from "../directory/provider/twilio";
import { declaredKey } from "../directory/provider/webhook";
import { checkPassword } from "../directory/user/password-policy";
import { MESSAGE_TYPES } from "../message-types/table";
import { isApiError } from "../protocol/api-error";
import { PRIVATE_LABELING_SETTINGS } from "../protocol/private-labeling";
import { issue } from "../protocol/reason";
import { messageTextShape } from "../texts/message-text";
import { LOGIN_TEXT_GROUPS } from "../texts/pages/page-texts";

const { strict } = field;
const optional = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).partial().shape;

/** Whether the language exists is checked by `findUnknownLanguages`, which knows the languages that the file adds. */
const language = z.string().transform((tag, issues) => {
  const known = canonicalBaseLanguage(tag);
  if (!isApiError(known)) return known as Language;
  issues.addIssue({ code: "custom", message: issue("one_of", { values: BUILT_IN_LANGUAGES.join(", ") }) });
  return z.NEVER;
});

const addedLanguage = strict({ language: z.string(), name: field.line(MAX_LANGUAGE_NAME).optional() }).transform(
  ({ language: given, name }, issues) => {
    const tag = canonicalBaseLanguage(given);
    if (!isApiError(tag)) return { tag, name: name ?? ownNameOf(tag) };
    issues.addIssue({ code: "custom", path: ["language"], message: issue("base_language") });
    return z.NEVER;
  },
);

const password = z.string().superRefine((value, issues) => {
  const problem = checkPassword(value, MIN_PASSWORD_LENGTH);
  if (!problem) return;
  const { code, limit } = problem;
  const message = limit ? issue(code === "too_short" ? "too_short" : "too_long", { n: limit }) : issue("not_text");
  issues.addIssue({ code: "custom", message });
});

/** Roles on the instance apply to the instance, all others to the user's organization, including project roles. */
const role = z.string().transform((value, issues): MemberRole => {
  if (isMemberRole(value)) return value;
  issues.addIssue({ code: "custom", message: issue("one_of", { values: MEMBER_ROLES.join(", ") }) });
  return z.NEVER;
});

/** The languages that the roles for texts are limited to; all of them if left out. */
const roleLanguages = z.array(field.languageTag).optional();

const gender = z
  .enum(["female", "male", "diverse", "GENDER_FEMALE", "GENDER_MALE", "GENDER_DIVERSE"], {
    error: issue("gender"),
  })
  .transform((value) => value.replace("GENDER_", "").toLowerCase() as "female" | "male" | "diverse");

/** Text values; apps get those of users base64url with the scope urn:service:iam:user:metadata. */
const metadata = z.record(field.name, field.text(5_000)).optional();

const person = strict({
  id: field.identifier.optional(),
  userName: field.userName,
  metadata,
  password: password.optional(),
  profile: strict({
    firstName: field.name,
    lastName: field.name,
    nickName: field.name,
    displayName: field.name,
    preferredLanguage: field.languageTag,
    gender,
  })
    .partial()
    .optional(),
  claims: strict({
    middle_name: field.name,
    website: field.webAddress,
    profile: field.webAddress,
    picture: field.webAddress,
    birthdate: field.birthdate,
    zoneinfo: field.timeZone,
  })
    .partial()
    .optional(),
  address: strict({
    formatted: field.text(1_000),
    street_address: field.text(500),
    locality: field.name,
    region: field.name,
    postal_code: field.line(50),
    country: field.name,
  })
    .partial()
    .optional(),
  email: strict({ email: field.email, isEmailVerified: z.boolean().optional() }).optional(),
  phone: strict({ phone: field.phone, isPhoneVerified: z.boolean().optional() }).optional(),
  /** The accounts at identity providers that sign the user in. */
  idpLinks: z
    .array(strict({ idpName: field.line(200), userId: field.line(255), userName: field.line(200).optional() }))
    .optional(),
  roles: z.array(role).optional(),
  roleLanguages,
});

const keys = z.array(strict({ keyId: field.identifier, publicKey: pemKey, expirationDate: instant.optional() }));

const machine = strict({
  id: field.identifier.optional(),
  userName: field.userName,
  metadata,
  name: field.name.optional(),
  description: field.text(500).optional(),
  accessTokenType: z
    .enum(["ACCESS_TOKEN_TYPE_BEARER", "ACCESS_TOKEN_TYPE_JWT"])
    .transform((type) => (type === "ACCESS_TOKEN_TYPE_JWT" ? ("jwt" as const) : ("bearer" as const)))
    .optional(),
  legacyAssertionAudience: z.boolean().optional(),
  jwksUri: field.webAddress.optional(),
  secret: field.secret.optional(),
  keys: keys.optional(),
  roles: z.array(role).optional(),
  roleLanguages,
});

const credentials = {
  clientId: field.clientId.optional(),
  clientSecret: field.secret.optional(),
  jwks: publicKeySetSchema.optional(),
  /** In addition to the key set: single keys, each with its own expiry. */
  keys: keys.optional(),
};

const app = strict({
  id: field.identifier.optional(),
  name: field.name,
  oidc: strict({ ...credentials, ...optional(oidcSettingsShape), ...appTrust.shape }).optional(),
  api: strict({ ...credentials, ...optional(apiSettingsShape) }).optional(),
}).refine(({ oidc, api }) => (oidc === undefined) !== (api === undefined), {
  error: issue("one_or_other", { one: "oidc", other: "api" }),
});

const namedUser = { userId: field.identifier.optional(), loginName: field.userName.optional() };
const namesOne = ({ userId, loginName }: { userId?: string; loginName?: string }) =>
  (userId === undefined) !== (loginName === undefined);
const oneName = { error: issue("one_or_other", { one: "userId", other: "loginName" }) };

/** Project roles that the project's organization grants to a user of any organization. */
const userGrant = strict({ ...namedUser, roleKeys: z.array(field.name).max(100) }).refine(namesOne, oneName);

/** A user who gives the roles of a project grant. */
const grantMember = strict({ ...namedUser, roles: z.array(z.enum(PROJECT_GRANT_ROLES)).min(1) }).refine(
  namesOne,
  oneName,
);

/** Another organization that may give these roles to its own users. */
const projectGrant = strict({
  grantedOrgId: field.identifier,
  roleKeys: z.array(field.name).max(100).optional(),
  members: z.array(grantMember).max(1_000).optional(),
});

const project = strict({
  id: field.identifier.optional(),
  name: field.name,
  projectRoleAssertion: z.boolean().optional(),
  projectRoleCheck: z.boolean().optional(),
  hasProjectCheck: z.boolean().optional(),
  privateLabelingSetting: z.enum(PRIVATE_LABELING_SETTINGS).optional(),
  scopes: projectScopes.optional(),
  resources: projectResources.optional(),
  rolesClaim: rolesClaim.optional(),
  userGrants: z.array(userGrant).optional(),
  grants: z.array(projectGrant).max(MAX_PROJECT_GRANTS).optional(),
  roles: z
    .array(strict({ roleKey: field.name, displayName: field.name.optional(), group: field.name.optional() }))
    .optional(),
  apps: z.array(app).optional(),
});

const messageText = strict({
  type: z.enum(MESSAGE_TYPES, { error: issue("one_of", { values: MESSAGE_TYPES.join(", ") }) }),
  language,
  ...messageTextShape,
});

/** The words by their keys alone: the API describes each word. */
const wordGroups = Object.entries(LOGIN_TEXT_GROUPS).map(([group, keys]) => {
  return [group, z.partialRecord(z.enum(keys), z.string()).optional()] as const;
});
const loginText = strict({ language, ...Object.fromEntries(wordGroups) });

const organization = strict({
  id: field.identifier.optional(),
  name: field.name,
  default: z.boolean().optional(),
  defaultLanguage: language.optional(),
  metadata,
  domains: z
    .array(strict({ domain: field.domain, verified: z.boolean().optional(), primary: z.boolean().optional() }))
    .optional(),
  users: z.array(person).optional(),
  machines: z.array(machine).optional(),
  projects: z.array(project).optional(),
  messageTexts: z.array(messageText).optional(),
  loginTexts: z.array(loginText).optional(),
  smsProviders: z.array(declaredSmsProvider).optional(),
  emailProviders: z.array(declaredEmailProvider).optional(),
  identityProviders: z.array(declaredOwnProvider).optional(),
  clientDecisions: z.array(declaredDecision).max(1_000).optional(),
  passwordHook: strict({ endpoint: field.line(2_000), signingKey: declaredKey.optional() }).optional(),
});

export const bootstrapFile = strict({
  /** For editors that use a JSON schema. */
  $schema: z.string().optional(),
  instance: strict({
    languages: z.array(addedLanguage).optional(),
    defaultLanguage: language.optional(),
    features: strict(Object.fromEntries(INSTANCE_FEATURES.map((name) => [name, z.boolean().optional()]))).optional(),
    security: strict({
      enableImpersonation: z.boolean().optional(),
      oauthMetadata: z.boolean().optional(),
      requirePushedAuthorizationRequests: z.boolean().optional(),
      dynamicClientRegistration: strict({
        enabled: z.boolean(),
        allowUnauthenticated: z.boolean().optional(),
      }).optional(),
      clientIdMetadataDocuments: strict({
        enabled: z.boolean(),
        allowedHosts: field.documentHosts.optional(),
        deniedHosts: field.documentHosts.optional(),
      }).optional(),
    }).optional(),
    messageTexts: z.array(messageText).optional(),
    loginTexts: z.array(loginText).optional(),
    smsProviders: z.array(declaredSmsProvider).optional(),
    emailProviders: z.array(declaredEmailProvider).optional(),
    identityProviders: z.array(declaredIdentityProvider).optional(),
  }).optional(),
  organizations: z.array(organization).optional(),
});

export type BootstrapFile = z.output<typeof bootstrapFile>;
export type OrganizationEntry = z.output<typeof organization>;
export type PersonEntry = z.output<typeof person>;
export type MachineEntry = z.output<typeof machine>;
export type ProjectEntry = z.output<typeof project>;
export type UserGrantEntry = z.output<typeof userGrant>;
export type GrantMemberEntry = z.output<typeof grantMember>;
export type AppEntry = z.output<typeof app>;
export type MessageTextEntry = z.output<typeof messageText>;
export type LoginTextEntry = z.output<typeof loginText>;
