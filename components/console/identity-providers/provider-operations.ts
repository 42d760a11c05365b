// The operations on identity providers at each level, and the kinds of providers.
import type { Schemas } from "../../../server/api/generated/operations";
import type { AnswerOf } from "../../../shared/declared";
import {
  ActivateInstanceProvider,
  ActivateProvider,
  AddAppleProvider,
  AddAzureADProvider,
  AddGenericOAuthProvider,
  AddGenericOIDCProvider,
  AddGitHubEnterpriseServerProvider,
  AddGitHubProvider,
  AddGitLabProvider,
  AddGitLabSelfHostedProvider,
  AddGoogleProvider,
  AddIDPToLoginPolicy,
  AddInstanceAppleProvider,
  AddInstanceAzureADProvider,
  AddInstanceGenericOAuthProvider,
  AddInstanceGenericOIDCProvider,
  AddInstanceGitHubEnterpriseServerProvider,
  AddInstanceGitHubProvider,
  AddInstanceGitLabProvider,
  AddInstanceGitLabSelfHostedProvider,
  AddInstanceGoogleProvider,
  AddInstanceLDAPProvider,
  AddInstanceSAMLProvider,
  AddLDAPProvider,
  AddOwnIDPToLoginPolicy,
  AddSAMLProvider,
  DeactivateInstanceProvider,
  DeactivateProvider,
  DeleteInstanceProvider,
  DeleteProvider,
  RegenerateInstanceSAMLProviderCertificate,
  RegenerateSAMLProviderCertificate,
  RemoveIDPFromLoginPolicy,
  RemoveOwnIDPFromLoginPolicy,
  SetInstanceProviderMapping,
  SetProviderMapping,
  TestInstanceProvider,
  TestInstanceProviderMapping,
  TestProvider,
  TestProviderMapping,
  UpdateInstanceProvider,
  UpdateProvider,
} from "../../../shared/generated/operations";

export type IdentityProviderView = Schemas["IdentityProvider"];
export type OfferedProviderView = AnswerOf<"ListLoginPolicyIDPs">["result"][number];

export const IDENTITY_PROVIDER_OPERATIONS = {
  instance: {
    add: {
      google: AddInstanceGoogleProvider,
      azure: AddInstanceAzureADProvider,
      apple: AddInstanceAppleProvider,
      github: AddInstanceGitHubProvider,
      gitlab: AddInstanceGitLabProvider,
      oidc: AddInstanceGenericOIDCProvider,
      oauth: AddInstanceGenericOAuthProvider,
      github_es: AddInstanceGitHubEnterpriseServerProvider,
      gitlab_self_hosted: AddInstanceGitLabSelfHostedProvider,
      saml: AddInstanceSAMLProvider,
      ldap: AddInstanceLDAPProvider,
    },
    renew: RegenerateInstanceSAMLProviderCertificate,
    change: UpdateInstanceProvider,
    activate: ActivateInstanceProvider,
    deactivate: DeactivateInstanceProvider,
    remove: DeleteInstanceProvider,
    test: TestInstanceProvider,
    map: SetInstanceProviderMapping,
    tryMapping: TestInstanceProviderMapping,
    offer: AddIDPToLoginPolicy,
    withdraw: RemoveIDPFromLoginPolicy,
  },
  organization: {
    add: {
      google: AddGoogleProvider,
      azure: AddAzureADProvider,
      apple: AddAppleProvider,
      github: AddGitHubProvider,
      gitlab: AddGitLabProvider,
      oidc: AddGenericOIDCProvider,
      oauth: AddGenericOAuthProvider,
      github_es: AddGitHubEnterpriseServerProvider,
      gitlab_self_hosted: AddGitLabSelfHostedProvider,
      saml: AddSAMLProvider,
      ldap: AddLDAPProvider,
    },
    renew: RegenerateSAMLProviderCertificate,
    change: UpdateProvider,
    activate: ActivateProvider,
    deactivate: DeactivateProvider,
    remove: DeleteProvider,
    test: TestProvider,
    map: SetProviderMapping,
    tryMapping: TestProviderMapping,
    offer: AddOwnIDPToLoginPolicy,
    withdraw: RemoveOwnIDPFromLoginPolicy,
  },
} as const;

export type ProviderOwnerLevel = keyof typeof IDENTITY_PROVIDER_OPERATIONS;
export type SignInProviderKind = keyof (typeof IDENTITY_PROVIDER_OPERATIONS)["instance"]["add"];

/** The kinds in the order of the page that adds one, with the names of their types and settings in answers. */
const PROVIDER_KINDS: Readonly<Record<SignInProviderKind, { type: IdentityProviderView["type"]; member: string }>> = {
  google: { type: "PROVIDER_TYPE_GOOGLE", member: "google" },
  azure: { type: "PROVIDER_TYPE_AZURE_AD", member: "azureAd" },
  apple: { type: "PROVIDER_TYPE_APPLE", member: "apple" },
  github: { type: "PROVIDER_TYPE_GITHUB", member: "github" },
  gitlab: { type: "PROVIDER_TYPE_GITLAB", member: "gitlab" },
  oidc: { type: "PROVIDER_TYPE_OIDC", member: "oidc" },
  saml: { type: "PROVIDER_TYPE_SAML", member: "saml" },
  oauth: { type: "PROVIDER_TYPE_OAUTH", member: "oauth" },
  github_es: { type: "PROVIDER_TYPE_GITHUB_ES", member: "githubEs" },
  gitlab_self_hosted: { type: "PROVIDER_TYPE_GITLAB_SELF_HOSTED", member: "gitlabSelfHosted" },
  ldap: { type: "PROVIDER_TYPE_LDAP", member: "ldap" },
};
export const PROVIDER_KIND_NAMES = Object.keys(PROVIDER_KINDS) as SignInProviderKind[];

export const kindOfProvider = ({ type }: IdentityProviderView): SignInProviderKind =>
  PROVIDER_KIND_NAMES.find((kind) => PROVIDER_KINDS[kind].type === type) ?? "oidc";

/** The settings of any kind. */
export interface SignInProviderSettings {
  clientId?: string;
  clientSecretExpiresAt?: string;
  scopes?: readonly string[];
  issuer?: string;
  authorizationEndpoint?: string;
  tokenEndpoint?: string;
  userEndpoint?: string;
  idAttribute?: string;
  isIdTokenMapping?: boolean;
  usePkce?: boolean;
  tenant?: { tenantType?: string; tenantId?: string };
  emailVerified?: boolean;
  teamId?: string;
  keyId?: string;
  metadataXml?: string;
  metadataUrl?: string;
  binding?: string;
  withSignedRequest?: boolean;
  nameIdFormat?: string;
  transientMappingAttributeName?: string;
  entityId?: string;
  certificates?: readonly { expirationDate: string }[];
  servers?: readonly string[];
  startTls?: boolean;
  baseDn?: string;
  bindDn?: string;
  userBase?: string;
  userObjectClasses?: readonly string[];
  userFilters?: readonly string[];
  timeout?: string;
  rootCa?: string;
  attributes?: Readonly<Record<string, string | undefined>>;
}

/** Returns the settings of a provider, which the answer has under the name of its kind. */
export function settingsOfProvider(provider: IdentityProviderView): SignInProviderSettings {
  const config: Readonly<Record<string, unknown>> = provider.config;
  return config[PROVIDER_KINDS[kindOfProvider(provider)].member] as SignInProviderSettings;
}
