/**
 * The caller of a management API: the user or machine of an access token (RFC 6750 §2.1, RFC 9449 §7). The token must
 * have been issued for this service; otherwise any application that holds a user's token could manage the service in
 * their name. Tokens of users who act for someone else (RFC 8693 §4.1) are never accepted.
 */
import type { Context } from "../context";
import { verifyAccessToken } from "../oidc/access-tokens";
import { checkPossession, type ProvenRequest } from "../oidc/dpop";
import { type ApiError, permissionDenied, unauthenticated } from "../protocol/api-error";
import { presentedToken } from "../protocol/bearer";
import { serviceAudience } from "../protocol/management";
import type { ValidToken } from "../storage/grant/access-tokens";

export interface Caller {
  userId: string;
  /** The user's own organization, which applies if the request names none. */
  organizationId: string;
  /** The client the token was issued to. */
  clientId: string;
  /** How the user signed in for the token; undefined if there was no sign-in, as for machines. */
  authentication?: CallerAuthentication;
}

export interface CallerAuthentication {
  /** The session, or its grant if the token has no session or no longer has one. */
  sessionId: string;
  /** Epoch milliseconds. */
  authTime: number;
  /** Space-delimited RFC 8176 values. */
  amr: string;
}

/** The credentials of a request: its Authorization header, if there is one, and the proof of a bound token. */
export interface PresentedCredentials extends ProvenRequest {
  authorization: string | undefined;
}

/** Returns the credentials of an internal call with a token that is not bound to a key. */
export const bearerCredentials = (token: string): PresentedCredentials => ({
  authorization: `Bearer ${token}`,
  dpop: undefined,
  method: "GET",
  path: "/",
});

export async function authenticateCaller(ctx: Context, request: PresentedCredentials): Promise<Caller | ApiError> {
  const { authorization } = request;
  if (authorization === undefined) {
    return unauthenticated("access.token_missing", "Send an access token: Authorization: Bearer …");
  }
  const presented = presentedToken(authorization);
  const token = presented && (await verifyAccessToken(ctx, presented.token));
  if (!presented || !token)
    return unauthenticated(
      "access.token_invalid",
      "The access token has expired, was revoked or was not issued here. Get a new one.",
    );
  const unproven = await checkPossession(ctx, request, presented, token);
  if (unproven?.error === "invalid_token" && unproven.scheme === undefined) {
    return unauthenticated(
      "access.certificate_missing",
      "The access token is bound to a client certificate (RFC 8705). Send the request with that certificate.",
    );
  }
  if (unproven) {
    return unauthenticated(
      "access.proof_invalid",
      "A token that is bound to a key is sent as DPoP with a proof of the key for this request (RFC 9449), every other one as Bearer.",
    );
  }
  if (!token.audience.split(" ").includes(serviceAudience)) {
    return unauthenticated(
      "access.audience_missing",
      "The access token is not meant for this service. Ask for the scope urn:service:iam:org:project:id:service:aud with the console, a machine, or an app that the instance allows to manage (allowManagementApi).",
    );
  }
  // Also checked at use, so that withdrawing the permission invalidates tokens that were issued before.
  if (!token.mayManage) {
    return unauthenticated(
      "access.app_not_allowed",
      "This app may not manage the service in your name. Sign in to it again, or ask an administrator of the instance to allow it (allowManagementApi).",
    );
  }
  if (token.actor !== null) {
    return permissionDenied(
      "access.delegated",
      "Tokens of someone who acts for someone else are not accepted here. Use the person’s own token.",
    );
  }
  if (token.userId === null || token.organizationId === null) {
    return unauthenticated("access.no_user", "The access token belongs to an app. Use one of a person or a machine.");
  }
  const { userId, organizationId, clientId } = token;
  return { userId, organizationId, clientId, authentication: authenticationOf(token) };
}

function authenticationOf({ grantId, sessionId, authTime, amr }: ValidToken): CallerAuthentication | undefined {
  // Tokens of machines have no sign-in and no method.
  if (grantId === null || authTime === null || !amr) return undefined;
  return { sessionId: sessionId ?? grantId, authTime, amr };
}
