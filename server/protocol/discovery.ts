/**
 * The discovery document (OpenID Connect Discovery 1.0 §3, RFC 8414 §2, RFC 9207 §3). Clients rely on every member, so
 * each must be exactly true. Every URL starts with the configured base URL, never with the host of a request. `issuer`
 * is the base URL byte for byte, as in `iss`.
 */
import { userClaimNames } from "./claims";
import { type ClientAuthenticationMethod, clientAuthenticationMethods } from "./client";
import { assertionAlgorithms, introspectionMethods, revocationMethods } from "./client-credentials";
import { dpopAlgorithms } from "./dpop";
import { type GrantType, tokenExchange } from "./grant-type";
import { prompts } from "./prompt";
import { responseModes, responseTypes } from "./response-type";
import { standardScopes } from "./scope";
import { tokenTypes } from "./token-exchange-request";

export interface DiscoveryOptions {
  grantTypes: readonly GrantType[];
  /** JWS algorithms of id_tokens; OIDC Discovery §3 requires RS256 among them. */
  signingAlgorithms: readonly string[];
  /** BCP 47 tags of the pages. */
  uiLocales: readonly string[];
  acrValues: readonly string[];
  /** The optional endpoints that are available. */
  endpoints?: readonly (
    | "introspection"
    | "revocation"
    | "device_authorization"
    | "pushed_authorization"
    | "registration"
  )[];
  /** Whether a client id may be the URL of a metadata document. */
  metadataDocuments?: boolean;
  /** Whether it is also published as OAuth metadata, which has members that OpenID Connect does not know. */
  isForOauth?: boolean;
  /** Whether every client must push its authorization requests (RFC 9126 §5); otherwise an app may require them. */
  requirePushedRequests?: boolean;
  /** How clients show certificates (RFC 8705); undefined if they cannot. */
  certificates?: {
    /** The base of the endpoints at which they do, if it is another one (§5). */
    base?: string;
  };
}

/** Claims about the authentication, not about the user. */
const tokenClaims = [
  "sub",
  "iss",
  "aud",
  "exp",
  "iat",
  "auth_time",
  "nonce",
  "acr",
  "amr",
  "azp",
  "at_hash",
  "c_hash",
  "sid",
  "act",
];

/** @param baseUrl the issuer, without a slash at the end */
export function discoveryDocument(baseUrl: string, options: DiscoveryOptions): Record<string, unknown> {
  const { grantTypes, signingAlgorithms, uiLocales, acrValues, endpoints = [], metadataDocuments } = options;
  const { requirePushedRequests = false, certificates } = options;
  const offered = (methods: readonly ClientAuthenticationMethod[]) =>
    certificates ? methods : methods.filter((method) => !method.includes("tls_client_auth"));
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/v2/authorize`,
    token_endpoint: `${baseUrl}/oauth/v2/token`,
    userinfo_endpoint: `${baseUrl}/oidc/v1/userinfo`,
    jwks_uri: `${baseUrl}/oauth/v2/keys`,
    end_session_endpoint: `${baseUrl}/oidc/v1/end_session`,
    ...(endpoints.includes("introspection") ? introspection(baseUrl, offered(introspectionMethods)) : {}),
    ...(endpoints.includes("revocation") ? revocation(baseUrl, offered(revocationMethods)) : {}),
    ...(endpoints.includes("device_authorization") // RFC 8628 §4
      ? { device_authorization_endpoint: `${baseUrl}/oauth/v2/device_authorization` }
      : {}),
    ...(endpoints.includes("pushed_authorization") // RFC 9126 §5
      ? {
          pushed_authorization_request_endpoint: `${baseUrl}/oauth/v2/par`,
          require_pushed_authorization_requests: requirePushedRequests,
        }
      : {}),
    // RFC 8414 §2
    ...(endpoints.includes("registration") ? { registration_endpoint: `${baseUrl}/oauth/v2/register` } : {}),
    // draft-ietf-oauth-client-id-metadata-document-02 §5
    ...(metadataDocuments ? { client_id_metadata_document_supported: true } : {}),
    scopes_supported: standardScopes,
    response_types_supported: responseTypes,
    response_modes_supported: responseModes,
    grant_types_supported: grantTypes,
    ...(options.isForOauth
      ? {
          introspection_signing_alg_values_supported: signingAlgorithms, // RFC 9701 §7
          // draft-ietf-oauth-identity-assertion-authz-grant
          authorization_grant_profiles_supported: ["urn:ietf:params:oauth:grant-profile:id-jag"],
        }
      : {}),
    ...(options.isForOauth && grantTypes.includes(tokenExchange)
      ? { identity_chaining_requested_token_types_supported: [tokenTypes.idJag] }
      : {}),
    subject_types_supported: ["public", "pairwise"],
    id_token_signing_alg_values_supported: signingAlgorithms,
    token_endpoint_auth_methods_supported: offered(clientAuthenticationMethods),
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    claim_types_supported: ["normal"],
    claims_supported: [...tokenClaims, ...userClaimNames],
    claims_parameter_supported: true,
    request_parameter_supported: true, // of clients with registered keys (RFC 9101)
    request_object_signing_alg_values_supported: assertionAlgorithms,
    authorization_signing_alg_values_supported: signingAlgorithms, // JARM §4
    userinfo_signing_alg_values_supported: signingAlgorithms,
    request_uri_parameter_supported: true, // of the same clients
    require_request_uri_registration: true,
    code_challenge_methods_supported: ["S256"],
    ui_locales_supported: uiLocales,
    acr_values_supported: acrValues,
    prompt_values_supported: prompts,
    dpop_signing_alg_values_supported: dpopAlgorithms,
    ...(certificates ? { tls_client_certificate_bound_access_tokens: true } : {}), // RFC 8705 §3.3
    ...(certificates?.base === undefined ? {} : { mtls_endpoint_aliases: aliases(certificates.base, endpoints) }),
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    frontchannel_logout_supported: true, // OpenID Connect Front-Channel Logout 1.0 §3
    frontchannel_logout_session_supported: true,
  };
}

function introspection(baseUrl: string, methods: readonly string[]): Record<string, unknown> {
  return {
    introspection_endpoint: `${baseUrl}/oauth/v2/introspect`,
    introspection_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  };
}

function revocation(baseUrl: string, methods: readonly string[]): Record<string, unknown> {
  return {
    revocation_endpoint: `${baseUrl}/oauth/v2/revoke`,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  };
}

/** Returns the endpoints that clients with certificates call (RFC 8705 §5). */
function aliases(base: string, endpoints: NonNullable<DiscoveryOptions["endpoints"]>): Record<string, string> {
  const optional = {
    introspection: { introspection_endpoint: `${base}/oauth/v2/introspect` },
    revocation: { revocation_endpoint: `${base}/oauth/v2/revoke` },
    device_authorization: { device_authorization_endpoint: `${base}/oauth/v2/device_authorization` },
    pushed_authorization: { pushed_authorization_request_endpoint: `${base}/oauth/v2/par` },
    registration: {},
  };
  return Object.assign(
    { token_endpoint: `${base}/oauth/v2/token`, userinfo_endpoint: `${base}/oidc/v1/userinfo` },
    ...endpoints.map((endpoint) => optional[endpoint]),
  );
}
