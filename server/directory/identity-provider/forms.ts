/**
 * The settings with which identity providers are added and changed, by kind. Names are those of ZITADEL's API. Every
 * address is checked like that of a webhook: the service calls it.
 */
import { createPrivateKey } from "node:crypto";
import { z } from "zod";
import type { Context } from "../../context";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import {
  AUTO_LINKING_OPTIONS,
  AZURE_TENANT_TYPES,
  type IdentityProviderKind,
  type IdentityProviderOptions,
  type IdentityProviderSettings,
  providerKinds,
  SAML_BINDINGS,
  SAML_NAME_ID_FORMATS,
} from "../../protocol/identity-provider";
import { inputIssues, wordIssue } from "../../protocol/input-issues";
import { issue, type Reason, reason, sentenceOf } from "../../protocol/reason";
import { MAX_METADATA, MetadataRefused, readProviderMetadata } from "../../protocol/saml/provider-metadata";
import { clientId, line, strict } from "../fields";
import { instant } from "../key-fields";
import { whyNotCalled } from "../provider/webhook";
import { directoryFields, readDirectory } from "./ldap-form";
import { instanceProviderMapping, providerMapping } from "./mapping";

const providerOptions = strict({
  isLinkingAllowed: z.boolean(),
  isCreationAllowed: z.boolean(),
  isAutoCreation: z.boolean(),
  isAutoUpdate: z.boolean(),
  autoLinking: z.enum(AUTO_LINKING_OPTIONS),
  isSecondFactorTrusted: z.boolean(),
  isIdentityAssertionAccepted: z.boolean(),
  isFederatedLogoutEnabled: z.boolean(),
  tokenClientIds: z.array(clientId).max(20),
}).partial();

const address = line(2_000).refine((text) => !/[?#]/.test(text), { error: issue("no_parameters") });
const endpoint = line(2_000);
const shortText = line(200);

const named = { name: shortText.or(z.literal("")).optional(), providerOptions: providerOptions.optional() };
const common = {
  ...named,
  clientId: line(500),
  clientSecretExpiresAt: instant
    .transform((at) => new Date(at).toISOString())
    .optional()
    .meta({ description: "When the secret or key ends at the provider; announced two weeks before" }),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, { error: issue("scope_characters", { n: 200 }) }))
    .max(50)
    .optional(),
};
const clientSecret = line(2_000).or(z.literal("")).optional();
const branded = { ...common, clientSecret };

/** The fields of each kind. A secret that is left out is kept, for the same provider. */
export const identityProviderForms = {
  oidc: strict({
    ...branded,
    issuer: address,
    isIdTokenMapping: z.boolean().optional(),
    usePkce: z.boolean().optional().meta({ description: "Defaults to true" }),
  }),
  oauth: strict({
    ...branded,
    authorizationEndpoint: endpoint,
    tokenEndpoint: endpoint,
    userEndpoint: endpoint,
    idAttribute: shortText.meta({ description: "The member of the user endpoint's response that identifies the user" }),
    usePkce: z.boolean().optional().meta({ description: "Defaults to true" }),
  }),
  google: strict(branded),
  azure: strict({
    ...branded,
    tenant: strict({ tenantType: z.enum(AZURE_TENANT_TYPES), tenantId: z.string().regex(/^[A-Za-z0-9.-]{0,100}$/) })
      .partial()
      .optional(),
    emailVerified: z
      .boolean()
      .optional()
      .meta({ description: "The addresses of the one tenant are verified; has no effect for several tenants" }),
  }),
  apple: strict({
    ...common,
    teamId: shortText,
    keyId: shortText,
    privateKey: z
      .string()
      .max(10_000)
      .optional()
      .meta({ description: "The downloaded .p8 file, as text or base64; may be left out when changing" }),
  }),
  github: strict(branded),
  github_es: strict({
    ...branded,
    authorizationEndpoint: endpoint,
    tokenEndpoint: endpoint,
    userEndpoint: endpoint,
  }),
  gitlab: strict(branded),
  gitlab_self_hosted: strict({ ...branded, issuer: address }),
  saml: strict({
    ...named,
    metadataXml: z
      .string()
      .max(2 * MAX_METADATA)
      .optional()
      .meta({ description: "The provider's metadata, as text or base64" }),
    metadataUrl: endpoint
      .or(z.literal(""))
      .optional()
      .meta({ description: "Where the provider's metadata is; it is read again every hour" }),
    binding: z.enum(SAML_BINDINGS).optional(),
    withSignedRequest: z
      .boolean()
      .optional()
      .meta({ description: "Requests are also signed if the provider's metadata asks for it" }),
    nameIdFormat: z.enum(SAML_NAME_ID_FORMATS).optional(),
    transientMappingAttributeName: shortText
      .or(z.literal(""))
      .optional()
      .meta({ description: "The attribute that identifies the user if the NameID is transient" }),
    emailVerified: z.boolean().optional().meta({ description: "The provider's email addresses count as verified" }),
  }),
  ldap: strict({ ...named, ...directoryFields }),
} as const satisfies Record<IdentityProviderKind, z.ZodType>;

const declared = <Shape extends z.ZodRawShape>(more: Shape) =>
  strict({
    name: shortText,
    /** Whether the owner's login policy offers it; left out: yes. */
    offered: z.boolean().optional(),
    active: z.boolean().optional(),
    providerOptions: providerOptions.optional(),
    ...(Object.fromEntries(
      Object.entries(identityProviderForms).map(([kind, form]) => [
        providerKinds[kind as IdentityProviderKind].member,
        strict(form.shape).omit({ name: true, providerOptions: true }).optional(),
      ]),
    ) as unknown as Record<(typeof providerKinds)[IdentityProviderKind]["member"], z.ZodOptional<z.ZodType<object>>>),
    ...more,
  }).superRefine((given, issues) => {
    const members = Object.values(providerKinds).filter(({ member }) => given[member as never] !== undefined);
    const [one, other] = ["oidc", "another kind"];
    if (members.length !== 1) issues.addIssue({ code: "custom", message: issue("one_or_other", { one, other }) });
  });

const MAPPING = { description: "Which claims are names, and which give roles" };
/** A provider in the bootstrap file: found by its name, with the settings under the name of its kind. */
export const declaredIdentityProvider = declared({ mapping: instanceProviderMapping.optional().meta(MAPPING) });
/** One of an organization, whose mapping names projects by their ids; a grant of a project is found by the project. */
export const declaredOwnProvider = declared({ mapping: providerMapping.optional().meta(MAPPING) });
export type DeclaredOwnProvider = z.output<typeof declaredOwnProvider>;

export interface ReadProvider {
  name: string;
  settings: IdentityProviderSettings;
  /** Undefined: left out. */
  secret: string | undefined;
  options: IdentityProviderOptions;
}

/** The options of a form that has none: new users may create accounts or connect theirs, and nothing is automatic. */
export const USUAL_OPTIONS: Partial<IdentityProviderOptions> = { isLinkingAllowed: true, isCreationAllowed: true };

export const wrongIdentityProvider = (field: string | undefined, why: Reason): ApiError =>
  invalidArgument("identity_provider.invalid", sentenceOf(why), { field, reason: why });

/** Parses and checks the settings of a provider. */
export function readIdentityProviderForm(
  ctx: Context,
  kind: IdentityProviderKind,
  given: unknown,
): ReadProvider | ApiError {
  const parsed = identityProviderForms[kind].safeParse(given, { error: wordIssue });
  if (!parsed.success) {
    const [first] = inputIssues(parsed.error);
    return wrongIdentityProvider(first?.path || undefined, first?.reason ?? reason("not_valid"));
  }
  const {
    name,
    clientSecret,
    privateKey,
    bindPassword,
    providerOptions: options = USUAL_OPTIONS,
    ...rest
  } = parsed.data as Form;
  const settings = { ...rest };
  if (kind === "ldap") {
    const checked = readDirectory(ctx, settings);
    if ("why" in checked) return wrongIdentityProvider(checked.field, checked.why);
    Object.assign(settings, checked);
  }
  for (const field of ["issuer", "authorizationEndpoint", "tokenEndpoint", "userEndpoint", "metadataUrl"] as const) {
    const why = settings[field] ? whyNotCalled(ctx, settings[field]) : undefined;
    if (why) return wrongIdentityProvider(field, why);
  }
  if (kind === "saml") {
    const refused = readMetadata(settings);
    if (refused) return refused;
  }
  const secret = kind === "apple" ? readPrivateKey(privateKey) : clientSecret || bindPassword || undefined;
  if (secret === null) return wrongIdentityProvider("privateKey", reason("apple_key"));
  return { name: name || providerKinds[kind].name, settings, secret, options: { ...NONE, ...options } };
}

/** Stores given metadata as text, and no empty fields. Without metadata, a SAML provider is offered nowhere. */
function readMetadata(settings: IdentityProviderSettings): ApiError | undefined {
  for (const field of ["metadataXml", "metadataUrl", "transientMappingAttributeName"] as const) {
    if (settings[field] === "") delete settings[field];
  }
  const { metadataXml: given, metadataUrl } = settings;
  if (given === undefined) return undefined;
  const one = "metadataXml";
  if (metadataUrl !== undefined)
    return wrongIdentityProvider(one, reason("one_or_other", { one, other: "metadataUrl" }));
  settings.metadataXml = given.trimStart().startsWith("<") ? given : Buffer.from(given, "base64").toString("utf8");
  if (settings.metadataXml.length > MAX_METADATA) {
    return wrongIdentityProvider(one, reason("too_long", { n: MAX_METADATA }));
  }
  try {
    readProviderMetadata(settings.metadataXml);
    return undefined;
  } catch (error) {
    return wrongIdentityProvider(one, error instanceof MetadataRefused ? error.reason : reason("saml_xml"));
  }
}

type Form = IdentityProviderSettings & {
  name?: string;
  clientSecret?: string;
  privateKey?: string;
  bindPassword?: string;
  providerOptions?: Partial<IdentityProviderOptions>;
};

const NONE: IdentityProviderOptions = {
  isLinkingAllowed: false,
  isCreationAllowed: false,
  isAutoCreation: false,
  isAutoUpdate: false,
  autoLinking: "AUTO_LINKING_OPTION_UNSPECIFIED",
  isSecondFactorTrusted: false,
  isIdentityAssertionAccepted: false,
  isFederatedLogoutEnabled: false,
  tokenClientIds: [],
};

/** Returns the key as PEM; undefined if none was given, null if it is not a private key on P-256. */
function readPrivateKey(given: string | undefined): string | undefined | null {
  if (given === undefined || given === "") return undefined;
  const pem = given.includes("-----BEGIN") ? given : Buffer.from(given, "base64").toString("utf8");
  try {
    const key = createPrivateKey(pem);
    const isFit = key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1";
    return isFit ? pem : null;
  } catch {
    return null;
  }
}

/** The field of a kind's secret. */
export const secretField = (kind: IdentityProviderKind) =>
  kind === "apple" ? "privateKey" : kind === "ldap" ? "bindPassword" : "clientSecret";

/** Whether a saved secret may be used with the new settings: it is never sent to another server. */
export function isSameProvider(before: IdentityProviderSettings, after: IdentityProviderSettings): boolean {
  const parts = ["issuer", "tokenEndpoint", "bindDn", "startTls", "rootCa"] as const;
  const { servers: known = [] } = before;
  const isKnown = (after.servers ?? []).every((server) => known.includes(server));
  return isKnown && parts.every((name) => before[name] === after[name]);
}
