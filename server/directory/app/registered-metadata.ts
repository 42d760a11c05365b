/** The metadata of a stored client as the service returns it: what `client-metadata.ts` has read. */
import { oidcClient } from "./client";
import type { ClientMetadata } from "./client-metadata";
import { CERTIFICATE_NAMES } from "./metadata-identity";
import { SUBJECT_TYPES } from "./settings";

/** Returns the metadata of a stored client by the names of the standards (RFC 7591 §3.2.1). */
export function registeredMetadata({ name, settings, jwks, further }: ClientMetadata): Record<string, unknown> {
  const client = oidcClient(settings);
  return {
    client_name: name,
    redirect_uris: client.redirectUris,
    ...(client.postLogoutRedirectUris.length > 0 && { post_logout_redirect_uris: client.postLogoutRedirectUris }),
    token_endpoint_auth_method: client.authenticationMethod,
    grant_types: client.grantTypes,
    response_types: client.responseTypes,
    application_type: client.applicationType,
    id_token_signed_response_alg: client.idTokenSigningAlgorithm,
    subject_type: SUBJECT_TYPES[settings.subjectType ?? "SUBJECT_TYPE_PUBLIC"],
    ...(settings.sectorIdentifierUri !== undefined && { sector_identifier_uri: settings.sectorIdentifierUri }),
    ...(jwks && { jwks }),
    ...(client.jwksUri !== undefined && { jwks_uri: client.jwksUri }),
    ...(client.backChannelLogoutUri !== undefined && { backchannel_logout_uri: client.backChannelLogoutUri }),
    ...(client.frontChannelLogoutUri !== undefined && {
      frontchannel_logout_uri: client.frontChannelLogoutUri,
      frontchannel_logout_session_required: client.frontChannelLogoutSessionRequired,
    }),
    ...(client.initiateLoginUri !== undefined && { initiate_login_uri: client.initiateLoginUri }),
    ...(client.userinfoSigningAlgorithm && { userinfo_signed_response_alg: client.userinfoSigningAlgorithm }),
    authorization_signed_response_alg: client.authorizationSigningAlgorithm,
    ...(settings.introspectionSignedResponseAlg && {
      introspection_signed_response_alg: settings.introspectionSignedResponseAlg,
    }),
    ...(client.defaultMaxAge !== undefined && { default_max_age: client.defaultMaxAge }),
    ...(settings.requireAuthTime && { require_auth_time: true }),
    ...Object.fromEntries(
      Object.entries(CERTIFICATE_NAMES).flatMap(([member, setting]) =>
        settings[setting] === undefined ? [] : [[member, settings[setting]]],
      ),
    ),
    ...(client.tlsClientCertificateBoundAccessTokens && { tls_client_certificate_bound_access_tokens: true }),
    ...(client.requestUris.length > 0 && { request_uris: client.requestUris }),
    require_signed_request_object: client.requireSignedRequestObject,
    require_pushed_authorization_requests: client.requirePushedAuthorizationRequests,
    dpop_bound_access_tokens: client.dpopBoundAccessTokens,
    ...further,
  };
}
