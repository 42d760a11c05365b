/** What differs between the operations of the kinds of identity providers. */
import type { IdentityProviderKind } from "../../protocol/identity-provider";

/** The name of each kind in the ids of its operations, and in summaries. */
export const KIND_WORDS: Readonly<Record<IdentityProviderKind, { name: string; noun: string; about: string }>> = {
  oidc: {
    name: "GenericOIDCProvider",
    noun: "an OpenID Connect provider",
    about: "Its addresses and keys are read from `{issuer}/.well-known/openid-configuration`.",
  },
  oauth: {
    name: "GenericOAuthProvider",
    noun: "an OAuth 2.0 provider",
    about: "`userEndpoint` answers with JSON about the user, whose member `idAttribute` identifies the account.",
  },
  google: { name: "GoogleProvider", noun: "Google", about: "" },
  azure: {
    name: "AzureADProvider",
    noun: "Microsoft Entra ID",
    about: "`tenant` is one `tenantId` or a `tenantType`; left out, accounts of any tenant can sign in.",
  },
  apple: {
    name: "AppleProvider",
    noun: "Apple",
    about: "`clientId` is the Services ID. The client secret is made from team ID, key ID and private key.",
  },
  github: { name: "GitHubProvider", noun: "GitHub", about: "" },
  github_es: { name: "GitHubEnterpriseServerProvider", noun: "a GitHub Enterprise server", about: "" },
  gitlab: { name: "GitLabProvider", noun: "GitLab", about: "" },
  saml: {
    name: "SAMLProvider",
    noun: "a SAML 2.0 provider",
    about:
      "Its metadata may be added later: until then it is offered nowhere. Instead of the redirect URI, register " +
      "`{BASE_URL}/idps/{id}/saml/metadata` there, or enter it as entity ID, `{BASE_URL}/idps/{id}/saml/acs` as ACS URL " +
      "and `{BASE_URL}/idps/{id}/saml/slo` for single logout.",
  },
  gitlab_self_hosted: { name: "GitLabSelfHostedProvider", noun: "a GitLab server of your own", about: "" },
  ldap: {
    name: "LDAPProvider",
    noun: "an LDAP directory",
    about:
      "Users type their login name and password on a page of this service, which searches for their entry and binds " +
      "with it. Servers are asked by TLS only. They must have public addresses; the operator may permit others for " +
      "directories of the service (`LDAP_NETWORKS`).",
  },
};
