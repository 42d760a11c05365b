/** Identity providers in answers, under the names of ZITADEL's APIs. */
import { z } from "zod";
import type { IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { providerMapping } from "../../directory/identity-provider/mapping";
import { AUTO_LINKING_OPTIONS, AZURE_TENANT_TYPES, providerKinds } from "../../protocol/identity-provider";
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
});

const text = z.string().optional();
const flag = z.boolean().optional();
const settings = z.object({
  clientId: z.string(),
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
    redirectUri: z.string().meta({ description: "The address to register at the provider" }),
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
    config: { options: provider.options, [providerKinds[kind].member]: provider.settings },
  };
}

export const ownerTypeOf = ({ ownerId }: IdentityProvider, instanceId: string) =>
  ownerId === instanceId ? "IDP_OWNER_TYPE_SYSTEM" : "IDP_OWNER_TYPE_ORG";

export const typeOf = ({ kind }: IdentityProvider) => `PROVIDER_TYPE_${providerKinds[kind].type}` as const;

export function toShownProvider(
  provider: IdentityProvider,
  { instanceId, baseUrl }: { instanceId: string; baseUrl: string },
): z.input<typeof shownProvider> {
  return {
    ...baseOf(provider),
    owner: ownerTypeOf(provider, instanceId),
    type: typeOf(provider),
    hasSecret: typeof provider.secret === "string",
    redirectUri: `${baseUrl}/idps/callback`,
  };
}

export const toShownProvider2 = (provider: IdentityProvider): z.input<typeof shownProvider2> => ({
  ...baseOf(provider),
  type: `IDP_TYPE_${providerKinds[provider.kind].type}`,
});
