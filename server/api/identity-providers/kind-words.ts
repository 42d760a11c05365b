/** What differs between the operations of the kinds of identity providers. */
import type { IdentityProviderKind } from "../../protocol/identity-provider";
import type { ProviderIds } from "../providers/provider-operations";

/** The names of the operations of each kind, and the kind in summaries. */
export const KIND_WORDS: Readonly<
  Record<IdentityProviderKind, { ids: Record<"add" | "update", ProviderIds>; noun: string; about: string }>
> = {
  oidc: {
    ids: {
      add: ["AddInstanceGenericOIDCProvider", "AddGenericOIDCProvider"],
      update: ["UpdateInstanceGenericOIDCProvider", "UpdateGenericOIDCProvider"],
    },
    noun: "an OpenID Connect provider",
    about: "Its addresses and keys are read from `{issuer}/.well-known/openid-configuration`.",
  },
  oauth: {
    ids: {
      add: ["AddInstanceGenericOAuthProvider", "AddGenericOAuthProvider"],
      update: ["UpdateInstanceGenericOAuthProvider", "UpdateGenericOAuthProvider"],
    },
    noun: "an OAuth 2.0 provider",
    about: "`userEndpoint` answers with JSON about the user, whose member `idAttribute` identifies the account.",
  },
  google: {
    ids: {
      add: ["AddInstanceGoogleProvider", "AddGoogleProvider"],
      update: ["UpdateInstanceGoogleProvider", "UpdateGoogleProvider"],
    },
    noun: "Google",
    about: "",
  },
  azure: {
    ids: {
      add: ["AddInstanceAzureADProvider", "AddAzureADProvider"],
      update: ["UpdateInstanceAzureADProvider", "UpdateAzureADProvider"],
    },
    noun: "Microsoft Entra ID",
    about: "`tenant` is one `tenantId` or a `tenantType`; left out, accounts of any tenant can sign in.",
  },
  apple: {
    ids: {
      add: ["AddInstanceAppleProvider", "AddAppleProvider"],
      update: ["UpdateInstanceAppleProvider", "UpdateAppleProvider"],
    },
    noun: "Apple",
    about: "`clientId` is the Services ID. The client secret is made from team ID, key ID and private key.",
  },
  github: {
    ids: {
      add: ["AddInstanceGitHubProvider", "AddGitHubProvider"],
      update: ["UpdateInstanceGitHubProvider", "UpdateGitHubProvider"],
    },
    noun: "GitHub",
    about: "",
  },
  github_es: {
    ids: {
      add: ["AddInstanceGitHubEnterpriseServerProvider", "AddGitHubEnterpriseServerProvider"],
      update: ["UpdateInstanceGitHubEnterpriseServerProvider", "UpdateGitHubEnterpriseServerProvider"],
    },
    noun: "a GitHub Enterprise server",
    about: "",
  },
  gitlab: {
    ids: {
      add: ["AddInstanceGitLabProvider", "AddGitLabProvider"],
      update: ["UpdateInstanceGitLabProvider", "UpdateGitLabProvider"],
    },
    noun: "GitLab",
    about: "",
  },
  saml: {
    ids: {
      add: ["AddInstanceSAMLProvider", "AddSAMLProvider"],
      update: ["UpdateInstanceSAMLProvider", "UpdateSAMLProvider"],
    },
    noun: "a SAML 2.0 provider",
    about:
      "Its metadata may be added later: until then it is offered nowhere. Instead of the redirect URI, register " +
      "`{BASE_URL}/idps/{id}/saml/metadata` there, or enter it as entity ID, `{BASE_URL}/idps/{id}/saml/acs` as ACS URL " +
      "and `{BASE_URL}/idps/{id}/saml/slo` for single logout.",
  },
  gitlab_self_hosted: {
    ids: {
      add: ["AddInstanceGitLabSelfHostedProvider", "AddGitLabSelfHostedProvider"],
      update: ["UpdateInstanceGitLabSelfHostedProvider", "UpdateGitLabSelfHostedProvider"],
    },
    noun: "a GitLab server of your own",
    about: "",
  },
  ldap: {
    ids: {
      add: ["AddInstanceLDAPProvider", "AddLDAPProvider"],
      update: ["UpdateInstanceLDAPProvider", "UpdateLDAPProvider"],
    },
    noun: "an LDAP directory",
    about:
      "Users type their login name and password on a page of this service, which searches for their entry and binds " +
      "with it. Servers are asked by TLS only. They must have public addresses; the operator may permit others for " +
      "directories of the service (`LDAP_NETWORKS`).",
  },
};
