/** Identity providers in answers, under the names of ZITADEL's APIs. */
import { z } from "zod";
import type { IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { providerMapping } from "../../directory/identity-provider/mapping";
import { samlKeysOf, samlServiceOf } from "../../directory/identity-provider/saml-keys";
import { knownMetadata } from "../../directory/identity-provider/saml-metadata";
import {
  AUTO_LINKING_OPTIONS,
  AZURE_TENANT_TYPES,
  DIRECTORY_ATTRIBUTES,
  type DirectoryAttribute,
  providerKinds,
  SAML_BINDINGS,
  SAML_NAME_ID_FORMATS,
} from "../../protocol/identity-provider";
import { certificateEnd } from "../../protocol/saml/provider-metadata";
import { timestamp } from "../operation/schemas";

const kinds = Object.values(providerKinds);
const TYPES = kinds.map(({ type }) => `PROVIDER_TYPE_${type}` as const);
const TYPES_2 = kinds.map(({ type }) => `IDP_TYPE_${type}` as const);
export const OWNER_TYPES = ["IDP_OWNER_TYPE_SYSTEM", "IDP_OWNER_TYPE_ORG"] as const;
export const providerType = z.enum(TYPES);

export const shownOptions = z.object({
  isLinkingAllowed: z.boolean(),
  isCreationAllowed: z.boolean(),
  isAutoCreation: z.boolean(),
  isAutoUpdate: z.boolean(),
  autoLinking: z.enum(AUTO_LINKING_OPTIONS),
  isSecondFactorTrusted: z.boolean(),
  isIdentityAssertionAccepted: z.boolean().optional(),
  isFederatedLogoutEnabled: z.boolean().optional(),
  tokenClientIds: z.array(z.string()).readonly().optional(),
});

const text = z.string().optional();
const flag = z.boolean().optional();
const settings = z.object({
  clientId: text,
  clientSecretExpiresAt: timestamp.optional(),
  scopes: z.array(z.string()).optional(),
  issuer: text,
  authorizationEndpoint: text,
  tokenEndpoint: text,
  userEndpoint: text,
  idAttribute: text,
  isIdTokenMapping: flag,
  usePkce: flag,
  tenant: z.object({ tenantType: z.enum(AZURE_TENANT_TYPES).optional(), tenantId: text }).optional(),
  emailVerified: flag,
  teamId: text,
  keyId: text,
  metadataXml: text,
  metadataUrl: text,
  binding: z.enum(SAML_BINDINGS).optional(),
  withSignedRequest: flag,
  federatedLogoutEnabled: flag.meta({ description: "As `isFederatedLogoutEnabled` in the options" }),
  nameIdFormat: z.enum(SAML_NAME_ID_FORMATS).optional(),
  transientMappingAttributeName: text,
  entityId: text.meta({ description: "The provider's, from its metadata" }),
  certificates: z
    .array(z.object({ expirationDate: timestamp }))
    .optional()
    .meta({ description: "The provider's certificates for signatures, from its metadata" }),
  servers: z.array(z.string()).optional(),
  startTls: flag,
  baseDn: text,
  bindDn: text,
  userBase: text,
  userObjectClasses: z.array(z.string()).optional(),
  userFilters: z.array(z.string()).optional(),
  timeout: text,
  rootCa: text,
  attributes: z
    .object(
      Object.fromEntries(DIRECTORY_ATTRIBUTES.map((name) => [name, text])) as Record<DirectoryAttribute, typeof text>,
    )
    .optional(),
});

const base = {
  id: z.string(),
  details: z.object({ creationDate: timestamp, changeDate: timestamp, resourceOwner: z.string() }),
  state: z.enum(["IDP_STATE_ACTIVE", "IDP_STATE_INACTIVE"]),
  name: z.string(),
  config: z
    .object({ options: shownOptions, ...Object.fromEntries(kinds.map(({ member }) => [member, settings.optional()])) })
    .meta({ description: "The options, and the settings under the name of the kind; never the secret" }),
  mapping: providerMapping.optional().meta({ description: "Which claims are names, and which give roles" }),
};

export const shownProvider = z
  .object({
    ...base,
    owner: z.enum(OWNER_TYPES).meta({ description: "`IDP_OWNER_TYPE_SYSTEM`: the service's own" }),
    type: providerType,
    hasSecret: z.boolean(),
    redirectUri: z.string().meta({ description: "The address to register at the provider; the ACS URL of SAML" }),
    postLogoutRedirectUri: z
      .string()
      .optional()
      .meta({ description: "The address to register for sign-outs from here" }),
    backchannelLogoutUri: z
      .string()
      .optional()
      .meta({ description: "The address to register for sign-outs at the provider; of OpenID Connect" }),
    singleLogoutUrl: z
      .string()
      .optional()
      .meta({ description: "The address for sign-outs of a SAML provider; also in our metadata" }),
    serviceProvider: z
      .object({ entityId: z.string(), certificates: z.array(z.object({ expirationDate: timestamp })) })
      .optional()
      .meta({ description: "This service for a SAML provider; its entity ID is the address of its metadata" }),
  })
  .meta({ id: "IdentityProvider" });

export const shownProvider2 = z.object({ ...base, type: z.enum(TYPES_2) }).meta({ id: "IdentityProviderV2" });

function baseOf(provider: IdentityProvider) {
  const { id, ownerId, kind, name, isActive, createdAt, changedAt } = provider;
  const at = (time: number) => new Date(time).toISOString();
  return {
    id,
    details: { creationDate: at(createdAt), changeDate: at(changedAt), resourceOwner: ownerId },
    state: isActive ? ("IDP_STATE_ACTIVE" as const) : ("IDP_STATE_INACTIVE" as const),
    name,
    ...(provider.mapping && { mapping: provider.mapping as z.input<typeof providerMapping> }),
    config: { options: provider.options, [providerKinds[kind].member]: shownSettings(provider) },
  };
}

/** The metadata of a SAML provider is base64, as bytes are in ZITADEL's API. */
function shownSettings(provider: IdentityProvider) {
  const { kind, settings, options } = provider;
  if (kind !== "saml") return settings;
  const { metadataXml, fetchedXml: _, ...rest } = settings;
  const known = knownMetadata(provider);
  return {
    ...rest,
    federatedLogoutEnabled: options.isFederatedLogoutEnabled ?? false,
    metadataXml: metadataXml && Buffer.from(metadataXml).toString("base64"),
    entityId: known?.entityId,
    certificates: known && endsOf(known.certificates),
  };
}

const endsOf = (certificates: readonly string[]) =>
  certificates.map((pem) => ({ expirationDate: new Date(certificateEnd(pem)).toISOString() }));

export const ownerTypeOf = ({ ownerId }: IdentityProvider, instanceId: string) =>
  ownerId === instanceId ? "IDP_OWNER_TYPE_SYSTEM" : "IDP_OWNER_TYPE_ORG";

export const typeOf = ({ kind }: IdentityProvider) => `PROVIDER_TYPE_${providerKinds[kind].type}` as const;

export function toShownProvider(
  provider: IdentityProvider,
  { instanceId, baseUrl }: { instanceId: string; baseUrl: string },
): z.input<typeof shownProvider> {
  const shown: Omit<z.input<typeof shownProvider>, "redirectUri"> = {
    ...baseOf(provider),
    owner: ownerTypeOf(provider, instanceId),
    type: typeOf(provider),
    hasSecret: typeof provider.secret === "string",
  };
  if (provider.kind !== "saml") {
    const isOidc = providerKinds[provider.kind].protocol === "oidc";
    return {
      ...shown,
      redirectUri: `${baseUrl}/idps/callback`,
      ...(isOidc && {
        postLogoutRedirectUri: `${baseUrl}/logout/done`,
        backchannelLogoutUri: `${baseUrl}/idps/${provider.id}/backchannel_logout`,
      }),
    };
  }
  const { entityId, acsUrl, sloUrl } = samlServiceOf({ baseUrl }, provider.id);
  const keys = provider.secret === undefined ? [] : samlKeysOf(provider);
  const certificates = endsOf(keys.map(({ certificate }) => certificate));
  return { ...shown, redirectUri: acsUrl, singleLogoutUrl: sloUrl, serviceProvider: { entityId, certificates } };
}

export const toShownProvider2 = (provider: IdentityProvider): z.input<typeof shownProvider2> => ({
  ...baseOf(provider),
  type: `IDP_TYPE_${providerKinds[provider.kind].type}`,
});
