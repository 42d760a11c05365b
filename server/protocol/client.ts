/**
 * The registered client (RFC 6749 §2, OIDC Core §1.2), which the directory calls an app. Plain values: whether the app,
 * its project and organization are active is checked when they are read.
 */
import type { CertificateName } from "./client-certificate";
import type { GrantType } from "./grant-type";
import type { ResponseType } from "./response-type";

/** Rules CLIENT-1 and METADATA-2: discovery lists them in this order, and pac4j uses the first. */
export const clientAuthenticationMethods = [
  "client_secret_basic",
  "client_secret_post",
  "private_key_jwt",
  "tls_client_auth",
  "self_signed_tls_client_auth",
  "none",
] as const;
export type ClientAuthenticationMethod = (typeof clientAuthenticationMethods)[number];

/** See fapi.ts. */
export type SecurityProfile = "fapi2" | "fapi2-message-signing";

export type ApplicationType = "web" | "user_agent" | "native";

/** JWS algorithms this service signs with (RFC 7518 §3.1, RFC 8037 §3.1); the first is the default. */
export const signingAlgorithms = ["RS256", "ES256", "EdDSA", "PS256"] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** An authorization server for which a client gets identity assertions; see asserted-rights.ts. */
export interface ConnectedServer {
  issuer: string;
  /** The client's id at that server. */
  clientId: string;
  scopes: readonly string[];
  /** URIs, compared character by character. */
  resources: readonly string[];
  /** The sector whose pairwise subjects the server sees; undefined for the ids of users. */
  sector: string | undefined;
}

/** What the client's project requires of its users and asserts about them. */
export interface ProjectRules {
  /** Whether role claims are included without a scope that requests them. */
  roleAssertion: boolean;
  /** Only users with a role grant of the project may sign in. */
  roleCheck: boolean;
  /** Only users of the organization that owns the project may sign in. */
  organizationCheck: boolean;
  /** Whether pages keep the look of the organization that owns the project when the user is known. */
  keepsLook: boolean;
}

/** What issuing a token needs to know about the recipient: an app, or a machine, which belongs to no project. */
export interface TokenClient {
  clientId: string;
  projectId: string | undefined;
  /** The sector whose pairwise subjects it gets (OIDC Core §8.1); undefined for the ids of users themselves. */
  sector?: string;
  /** Whether its tokens may be for the management APIs; see management.ts. */
  mayManage: boolean;
  /** The organization that owns it. */
  organizationId: string;
  accessTokenFormat: "opaque" | "jwt";
  /** The `typ` of JWT access tokens: RFC 9068 §2.1 requires the first; many older verifiers know only the second. */
  accessTokenJwtType: "at+jwt" | "JWT";
  /** "User Info inside ID Token": scope claims in the id_token even if an access token is issued with it. */
  idTokenUserinfoAssertion: boolean;
  /** Role claims in the id_token, and below in JWT access tokens; otherwise in userinfo and introspection only. */
  idTokenRoleAssertion: boolean;
  accessTokenRoleAssertion: boolean;
  /** The claim of its project with a flat list of role keys, if any. */
  rolesClaim?: string;
  idTokenSigningAlgorithm: SigningAlgorithm;
  /** Whether its access tokens must be bound to a key (RFC 9449 §5.2); undefined for a machine. */
  dpopBoundAccessTokens?: boolean;
  /** Whether its access tokens must be bound to its certificate (RFC 8705 §3); undefined for a machine. */
  tlsClientCertificateBoundAccessTokens?: boolean;
  /** How far the client's clock may be off, in milliseconds; its ID tokens are valid that much longer at both ends. */
  clockSkew?: number;
  /** Milliseconds; undefined for the service's default. */
  lifetimes: {
    accessToken?: number;
    idToken?: number;
    refreshTokenIdle?: number;
    refreshToken?: number;
    refreshGrace?: number;
  };
}

/**
 * The instance's trust in an app: `service` is the console only, `trusted` is an app that the instance trusts for users
 * of every organization.
 */
export type Standing = "service" | "trusted" | "registered";

/**
 * How the service came to know a client: an administrator registered it, it registered itself (RFC 7591), or its client
 * id is the URL of its metadata document.
 */
export type ClientOrigin = "administrator" | "registration" | "document";

export interface ClientSecret {
  id: string;
  /** SHA-256 of the secret, base64url. */
  digest: string;
  /** When its last use was recorded, epoch milliseconds. */
  usedAt: number | null;
  /** Epoch milliseconds; null if it does not expire. */
  expiresAt: number | null;
}

export interface Client extends TokenClient {
  /** Empty for a client of a document until a user signs in to it: only then it is stored. */
  appId: string;
  appName: string;
  projectId: string;
  organizationId: string;
  organizationName: string;
  standing: Standing;
  origin: ClientOrigin;
  kind: "oidc" | "api";
  applicationType: ApplicationType;
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
  responseTypes: readonly ResponseType[];
  grantTypes: readonly GrantType[];
  authenticationMethod: ClientAuthenticationMethod;
  /** The name in its certificate for tls_client_auth; undefined if it has none, or several. */
  certificateName: CertificateName | undefined;
  /** All secrets that are currently valid. */
  secrets: readonly ClientSecret[];
  /** Public keys for private_key_jwt. */
  jwks: { keys: readonly Record<string, unknown>[] } | null;
  /** The URL where it publishes further keys. */
  jwksUri: string | undefined;
  project: ProjectRules;
  /** Origins of browser code in addition to those of the redirect URIs. */
  additionalOrigins: readonly string[];
  /** The URI that is notified when a session ends (OpenID Connect Back-Channel Logout 1.0 §2.2). */
  backChannelLogoutUri: string | undefined;
  /** The page that clears the app's session in the browser (OpenID Connect Front-Channel Logout 1.0 §2). */
  frontChannelLogoutUri: string | undefined;
  /** Whether that page needs `iss` and `sid` in its query. */
  frontChannelLogoutSessionRequired: boolean;
  /** The URI at which the app starts a sign-in by itself (OpenID Connect Core §4); invited users land there. */
  initiateLoginUri: string | undefined;
  /** The base address of the login of its own, to which its users are sent. */
  loginBaseUri: string | undefined;
  /** How old an authentication may be, in seconds, if a request has no max_age; undefined for any age. */
  defaultMaxAge: number | undefined;
  devMode: boolean;
  /** Whether it is operated by a third party: users are asked before it learns who they are. */
  isThirdParty: boolean;
  /** The organizations that count if its requests name one: its own and those with a grant of its project, or all. */
  allowedOrganizations: "own-and-granted" | "all";
  /** Also accept the token endpoint's URL as audience of client assertions (RFC 10070 permits the issuer only). */
  legacyAssertionAudience: boolean;
  /** Accept authorization requests only if they were pushed (RFC 9126 §5). */
  requirePushedAuthorizationRequests: boolean;
  dpopBoundAccessTokens: boolean;
  tlsClientCertificateBoundAccessTokens: boolean;
  /** Whether its DPoP proofs need a nonce of this service (RFC 9449 §8). */
  dpopRequireNonce: boolean;
  /** When it was last used, to the day, in epoch milliseconds; only of clients that registered themselves. */
  usedAt?: number | null;
  /** What it registered to be shown to users, also in languages; see `client-words.ts`. */
  selfDescription?: Readonly<Record<string, unknown>>;
  /** The scopes that it registered, besides which its requests get none (RFC 7591 §2); undefined: any. */
  registeredScopes?: readonly string[];
  /** The only algorithm of its client assertions (OpenID Connect Dynamic Client Registration §2); undefined: any. */
  assertionAlgorithm?: string;
  /** The only algorithm of its request objects, if it registered one. */
  requestObjectAlgorithm?: string;
  /** Accept client assertions without `jti`, and the same one again until it expires. */
  allowAssertionReuse: boolean;
  /** Accept authorization requests only as signed request objects (RFC 9101 §10.5). */
  requireSignedRequestObject: boolean;
  /** The addresses at which it publishes request objects (RFC 9101 §5.2). */
  requestUris: readonly string[];
  /** The authorization servers for which it gets identity assertions. */
  connectedServers: readonly ConnectedServer[];
  /** Signs its authorization responses if it asks for a mode with a JWT (JARM §3). */
  authorizationSigningAlgorithm: SigningAlgorithm;
  /** Signs userinfo for it (OIDC Core §5.3.2); undefined for JSON. */
  userinfoSigningAlgorithm: SigningAlgorithm | undefined;
  /** Signs introspection if it asks for a JWT (RFC 9701 §5). */
  introspectionSigningAlgorithm: SigningAlgorithm;
  /** The security profile of the app, which fixes some of its settings (fapi.ts). */
  profile: SecurityProfile | undefined;
}
