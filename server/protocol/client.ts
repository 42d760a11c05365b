/**
 * The registered client as the protocol sees it (RFC 6749 §2, OIDC Core §1.2); the directory calls the same thing an app.
 * Pure values: whether the app, its project and organization are active is checked where they are read.
 */
import type { GrantType } from "./grant-type";
import type { ResponseType } from "./response-type";

/** Rules CLIENT-1 and METADATA-2: discovery lists them in this order, and pac4j takes the first. */
export const clientAuthenticationMethods = [
  "client_secret_basic",
  "client_secret_post",
  "private_key_jwt",
  "none",
] as const;
export type ClientAuthenticationMethod = (typeof clientAuthenticationMethods)[number];

export type ApplicationType = "web" | "user_agent" | "native";

/** JWS algorithms this service signs with (RFC 7518 §3.1, RFC 8037 §3.1); the first is the default. */
export const signingAlgorithms = ["RS256", "ES256", "EdDSA"] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** What the client's project requires and asserts about its users. */
export interface ProjectRules {
  /** Role claims even where no scope asks for them. */
  roleAssertion: boolean;
  /** Only users with a role grant of the project may sign in. */
  roleCheck: boolean;
  /** Only users of the organization that owns the project may sign in. */
  organizationCheck: boolean;
}

/** What token issuing needs to know about the recipient: an app, or a machine, which belongs to no project. */
export interface TokenClient {
  clientId: string;
  projectId: string | undefined;
  /** Whether its tokens may be meant for the management APIs; see management.ts. */
  mayManage: boolean;
  /** Whose it is. */
  organizationId: string;
  accessTokenFormat: "opaque" | "jwt";
  /** The `typ` of JWT access tokens: RFC 9068 §2.1 wants the first; many older verifiers know only the second. */
  accessTokenJwtType: "at+jwt" | "JWT";
  /** "User Info inside ID Token": scope claims in the id_token although an access token is issued beside it. */
  idTokenUserinfoAssertion: boolean;
  /** Role claims in the id_token, in JWT access tokens; otherwise in userinfo and introspection only. */
  idTokenRoleAssertion: boolean;
  accessTokenRoleAssertion: boolean;
  /** The claim of its project with a flat list of role keys; undefined: none. */
  rolesClaim?: string;
  idTokenSigningAlgorithm: SigningAlgorithm;
  /** Milliseconds the client's clock may be off; its ID tokens are valid that much longer at both ends. */
  clockSkew?: number;
  /** Milliseconds; undefined: the service's default. */
  lifetimes: {
    accessToken?: number;
    idToken?: number;
    refreshTokenIdle?: number;
    refreshToken?: number;
    refreshGrace?: number;
  };
}

/** What the instance says of an app: `service` is the console alone, `trusted` one it vouches for to everybody. */
export type Standing = "service" | "trusted" | "registered";

export interface ClientSecret {
  id: string;
  /** SHA-256 of the secret, base64url. */
  digest: string;
  /** When its last use was recorded, epoch milliseconds. */
  usedAt: number | null;
}

export interface Client extends TokenClient {
  appId: string;
  appName: string;
  projectId: string;
  organizationId: string;
  organizationName: string;
  standing: Standing;
  kind: "oidc" | "api";
  applicationType: ApplicationType;
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
  responseTypes: readonly ResponseType[];
  grantTypes: readonly GrantType[];
  authenticationMethod: ClientAuthenticationMethod;
  /** All that are currently valid. */
  secrets: readonly ClientSecret[];
  /** Public keys for private_key_jwt. */
  jwks: { keys: readonly Record<string, unknown>[] } | null;
  /** Where it publishes further ones. */
  jwksUri: string | undefined;
  project: ProjectRules;
  /** Origins of browser code besides those of the redirect addresses. */
  additionalOrigins: readonly string[];
  /** Notified when a session ends, OpenID Connect Back-Channel Logout 1.0 §2.2. */
  backChannelLogoutUri: string | undefined;
  devMode: boolean;
  /** Run by somebody else: people are asked before it learns who they are. */
  isThirdParty: boolean;
  /** Which organizations count where its requests name one: its own, or all. */
  allowedOrganizations: "own-and-granted" | "all";
  /** Also accept the token endpoint's address as audience of client assertions (RFC 10070 wants the issuer only). */
  legacyAssertionAudience: boolean;
  /** Accept client assertions without `jti`, and the same one again until it expires. */
  allowAssertionReuse: boolean;
}
