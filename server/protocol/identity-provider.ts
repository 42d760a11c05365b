/**
 * The kinds of identity providers, and their settings as they are stored. A kind speaks OpenID Connect, OAuth 2.0 with
 * an endpoint of its own for the user where the provider issues no id_token, or SAML 2.0. An LDAP
 * directory gets the password that users type on a page of this service.
 */

interface KindOfProvider {
  /** The last part of its path in the API. */
  path: string;
  /** Its name in the API's answers, as a member and, with a prefix, as a value of `type`. */
  member: string;
  type: string;
  /** The name on buttons and in lists if the administrator gives none. */
  name: string;
  protocol: "oidc" | "oauth" | "saml" | "ldap";
  /** The scopes that are requested if the administrator gives none. */
  scopes: readonly string[];
}

export const providerKinds = {
  oidc: {
    path: "generic_oidc",
    member: "oidc",
    type: "OIDC",
    name: "OpenID Connect",
    protocol: "oidc",
    scopes: ["openid", "profile", "email"],
  },
  oauth: { path: "oauth", member: "oauth", type: "OAUTH", name: "OAuth 2.0", protocol: "oauth", scopes: [] },
  google: {
    path: "google",
    member: "google",
    type: "GOOGLE",
    name: "Google",
    protocol: "oidc",
    scopes: ["openid", "profile", "email"],
  },
  azure: {
    path: "azure",
    member: "azureAd",
    type: "AZURE_AD",
    name: "Microsoft",
    protocol: "oidc",
    scopes: ["openid", "profile", "email"],
  },
  apple: {
    path: "apple",
    member: "apple",
    type: "APPLE",
    name: "Apple",
    protocol: "oidc",
    scopes: ["openid", "name", "email"],
  },
  github: {
    path: "github",
    member: "github",
    type: "GITHUB",
    name: "GitHub",
    protocol: "oauth",
    scopes: ["read:user", "user:email"],
  },
  github_es: {
    path: "github_es",
    member: "githubEs",
    type: "GITHUB_ES",
    name: "GitHub Enterprise",
    protocol: "oauth",
    scopes: ["read:user", "user:email"],
  },
  gitlab: {
    path: "gitlab",
    member: "gitlab",
    type: "GITLAB",
    name: "GitLab",
    protocol: "oidc",
    scopes: ["openid", "profile", "email"],
  },
  gitlab_self_hosted: {
    path: "gitlab_self_hosted",
    member: "gitlabSelfHosted",
    type: "GITLAB_SELF_HOSTED",
    name: "GitLab",
    protocol: "oidc",
    scopes: ["openid", "profile", "email"],
  },
  saml: { path: "saml", member: "saml", type: "SAML", name: "SAML", protocol: "saml", scopes: [] },
  ldap: { path: "ldap", member: "ldap", type: "LDAP", name: "LDAP", protocol: "ldap", scopes: [] },
} as const satisfies Record<string, KindOfProvider>;

export type IdentityProviderKind = keyof typeof providerKinds;
export const IDENTITY_PROVIDER_KINDS = Object.keys(providerKinds) as IdentityProviderKind[];

/** Which accounts at Microsoft may sign in: of any tenant, of work or school, personal ones, or of one tenant. */
export const AZURE_TENANT_TYPES = [
  "AZURE_AD_TENANT_TYPE_COMMON",
  "AZURE_AD_TENANT_TYPE_ORGANISATIONS",
  "AZURE_AD_TENANT_TYPE_CONSUMERS",
] as const;
export type AzureTenantType = (typeof AZURE_TENANT_TYPES)[number];

/** How requests are sent to a SAML provider; unspecified: as its metadata permits. */
export const SAML_BINDINGS = ["SAML_BINDING_UNSPECIFIED", "SAML_BINDING_POST", "SAML_BINDING_REDIRECT"] as const;

/** The identifiers that a SAML provider is asked for; unspecified: any. */
export const SAML_NAME_ID_FORMATS = [
  "SAML_NAME_ID_FORMAT_UNSPECIFIED",
  "SAML_NAME_ID_FORMAT_EMAIL_ADDRESS",
  "SAML_NAME_ID_FORMAT_PERSISTENT",
  "SAML_NAME_ID_FORMAT_TRANSIENT",
] as const;

/** The attributes of a user in an LDAP directory that give the service's fields; the directory's names. */
export const DIRECTORY_ATTRIBUTES = [
  "idAttribute",
  "firstNameAttribute",
  "lastNameAttribute",
  "displayNameAttribute",
  "nickNameAttribute",
  "preferredUsernameAttribute",
  "emailAttribute",
  "emailVerifiedAttribute",
  "phoneAttribute",
  "phoneVerifiedAttribute",
  "preferredLanguageAttribute",
  "avatarUrlAttribute",
  "profileAttribute",
] as const;
export type DirectoryAttribute = (typeof DIRECTORY_ATTRIBUTES)[number];

export interface DirectorySettings {
  /** `ldap://` and `ldaps://` addresses, which are tried in order. */
  servers: readonly string[];
  startTls?: boolean;
  baseDn: string;
  bindDn: string;
  /** The attribute whose value is bound with the user's password; undefined or `dn`: the entry's name. */
  userBase?: string;
  userObjectClasses?: readonly string[];
  /** The attributes of which one must be the typed login name. */
  userFilters: readonly string[];
  /** A duration, for example `5s`. */
  timeout?: string;
  /** PEM certificates that are trusted instead of the system's. */
  rootCa?: string;
  attributes: { idAttribute: string } & Partial<Record<DirectoryAttribute, string>>;
}

/** The settings of a provider without its secret; which of them a kind has is defined by its schema. */
export interface IdentityProviderSettings extends Partial<DirectorySettings> {
  /** Undefined for protocols without one. */
  clientId?: string;
  /** When the client secret or key ends, RFC 3339, as an administrator has entered. */
  clientSecretExpiresAt?: string;
  scopes?: readonly string[];
  issuer?: string;
  authorizationEndpoint?: string;
  tokenEndpoint?: string;
  userEndpoint?: string;
  /** The member of the user endpoint's response that identifies the account. */
  idAttribute?: string;
  /** Whether the id_token alone describes the user, so that the userinfo endpoint is not asked. */
  isIdTokenMapping?: boolean;
  /** Whether PKCE is used; undefined: it is. */
  usePkce?: boolean;
  tenant?: { tenantType?: AzureTenantType; tenantId?: string };
  /** Whether the addresses of the tenant, SAML provider or directory are verified, which it does not report. */
  emailVerified?: boolean;
  teamId?: string;
  keyId?: string;
  /** The metadata of a SAML provider as the administrator gave it, or its address. */
  metadataXml?: string;
  metadataUrl?: string;
  /** The metadata at the address when it was last read. */
  fetchedXml?: string;
  binding?: (typeof SAML_BINDINGS)[number];
  withSignedRequest?: boolean;
  nameIdFormat?: (typeof SAML_NAME_ID_FORMATS)[number];
  /** The attribute that identifies the account if the NameID is transient. */
  transientMappingAttributeName?: string;
}

export const AUTO_LINKING_OPTIONS = [
  "AUTO_LINKING_OPTION_UNSPECIFIED",
  "AUTO_LINKING_OPTION_USERNAME",
  "AUTO_LINKING_OPTION_EMAIL",
] as const;

/** What may happen to accounts when a user signs in by the provider. */
export interface IdentityProviderOptions {
  /** Whether users may connect an existing account, which they prove by signing in to it. */
  isLinkingAllowed: boolean;
  /** Whether new users may create an account. */
  isCreationAllowed: boolean;
  /** Whether their account is created without asking. */
  isAutoCreation: boolean;
  /** Whether names, language and verified address are updated at each sign-in. */
  isAutoUpdate: boolean;
  /** By what existing accounts in proven domains are connected without asking. */
  autoLinking: (typeof AUTO_LINKING_OPTIONS)[number];
  /** Whether a second factor that the provider reports (`amr`) replaces ours. */
  isSecondFactorTrusted: boolean;
  /** Whether apps get tokens for its users by assertions that it signed (ID-JAG); undefined in earlier rows: no. */
  isIdentityAssertionAccepted?: boolean;
  /** Whether a sign-out here signs out at providers of OpenID Connect and SAML; undefined in earlier rows: no. */
  isFederatedLogoutEnabled?: boolean;
  /** The apps that get the provider's tokens, which are kept only for them; undefined in earlier rows: none. */
  tokenClientIds?: readonly string[];
}

/** The tenant in the addresses of Microsoft: an id, a domain, or a word for several. */
export function microsoftTenant({ tenant }: IdentityProviderSettings): string {
  if (tenant?.tenantId) return tenant.tenantId;
  return (tenant?.tenantType ?? "AZURE_AD_TENANT_TYPE_COMMON")
    .replace("AZURE_AD_TENANT_TYPE_", "")
    .toLowerCase()
    .replace("organisations", "organizations");
}

/** Whether the accounts of one tenant of Microsoft's may sign in, not those of any. */
export const isOneTenant = (settings: IdentityProviderSettings): boolean =>
  !["common", "organizations"].includes(microsoftTenant(settings).toLowerCase());
