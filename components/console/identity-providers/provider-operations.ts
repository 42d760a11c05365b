// The operations on identity providers at each level, and the kinds of providers.
import type { Schemas } from "../../../server/api/generated/operations";
import type { AnswerOf } from "../../../shared/declared";
import * as operations from "../../../shared/generated/operations";

export type IdentityProviderView = Schemas["IdentityProvider"];
export type OfferedProviderView = AnswerOf<"ListLoginPolicyIDPs">["result"][number];

export const IDENTITY_PROVIDER_OPERATIONS = {
  instance: {
    add: {
      google: operations.AddInstanceGoogleProvider,
      azure: operations.AddInstanceAzureADProvider,
      apple: operations.AddInstanceAppleProvider,
      github: operations.AddInstanceGitHubProvider,
      gitlab: operations.AddInstanceGitLabProvider,
      oidc: operations.AddInstanceGenericOIDCProvider,
      oauth: operations.AddInstanceGenericOAuthProvider,
      github_es: operations.AddInstanceGitHubEnterpriseServerProvider,
      gitlab_self_hosted: operations.AddInstanceGitLabSelfHostedProvider,
      saml: operations.AddInstanceSAMLProvider,
      ldap: operations.AddInstanceLDAPProvider,
    },
    renew: operations.RegenerateInstanceSAMLProviderCertificate,
    change: operations.UpdateInstanceProvider,
    activate: operations.ActivateInstanceProvider,
    deactivate: operations.DeactivateInstanceProvider,
    remove: operations.DeleteInstanceProvider,
    test: operations.TestInstanceProvider,
    map: operations.SetInstanceProviderMapping,
    tryMapping: operations.TestInstanceProviderMapping,
    offer: operations.AddIDPToLoginPolicy,
    withdraw: operations.RemoveIDPFromLoginPolicy,
  },
  organization: {
    add: {
      google: operations.AddGoogleProvider,
      azure: operations.AddAzureADProvider,
      apple: operations.AddAppleProvider,
      github: operations.AddGitHubProvider,
      gitlab: operations.AddGitLabProvider,
      oidc: operations.AddGenericOIDCProvider,
      oauth: operations.AddGenericOAuthProvider,
      github_es: operations.AddGitHubEnterpriseServerProvider,
      gitlab_self_hosted: operations.AddGitLabSelfHostedProvider,
      saml: operations.AddSAMLProvider,
      ldap: operations.AddLDAPProvider,
    },
    renew: operations.RegenerateSAMLProviderCertificate,
    change: operations.UpdateProvider,
    activate: operations.ActivateProvider,
    deactivate: operations.DeactivateProvider,
    remove: operations.DeleteProvider,
    test: operations.TestProvider,
    map: operations.SetProviderMapping,
    tryMapping: operations.TestProviderMapping,
    offer: operations.AddOwnIDPToLoginPolicy,
    withdraw: operations.RemoveOwnIDPFromLoginPolicy,
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

/** The settings of a provider; which of them it has depends on its kind. */
export type SignInProviderSettings = NonNullable<IdentityProviderView["config"]["oidc"]>;

/** Returns the settings of a provider, which the answer has under the name of its kind. */
export function settingsOfProvider(provider: IdentityProviderView): SignInProviderSettings {
  const config: Readonly<Record<string, unknown>> = provider.config;
  return config[PROVIDER_KINDS[kindOfProvider(provider)].member] as SignInProviderSettings;
}
