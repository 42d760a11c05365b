/**
 * Grant type authorization_code (RFC 6749 §4.1.3, OIDC Core §3.1.3). One conditional statement redeems the code and
 * stores its tokens. A code presented twice has been copied, so what its first redemption issued is revoked.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { asSystem } from "../../events/record";
import { type Client, clientAuthenticationMethods } from "../../protocol/client";
import { type AuthorizationCodeRequest, parseCode } from "../../protocol/grant-type";
import { invalidGrant, isError, type OAuthError } from "../../protocol/oauth-error";
import { checkCodeVerifier, missingCodeVerifier } from "../../protocol/pkce";
import { provesBinding } from "../../protocol/token-binding";
import { refreshUntil } from "../../protocol/token-expiry";
import { findGrantByCode, redeemCode, type ValidGrant } from "../../storage/grant/grant";
import { endOfSession, makeAccessToken, refreshKey } from "../access-tokens";
import { endOfCodeGrant, isOffline } from "../authorization-response";
import { isForbidden } from "../client-decisions";
import { lifetimesFor } from "../client-lifetimes";
import { refreshTokenOf } from "../refresh-token-format";
import { audienceOfToken } from "../resources";
import { revokeGrant } from "../revoke-grant";
import { idTokenOfGrant, type TokenResponse, tokenResponse } from "../token-response";
import { clientGrant } from "./grant";

export const authorizationCodeGrant = clientGrant({
  grantType: "authorization_code",
  methods: clientAuthenticationMethods,
  parse: parseCode,
  issue: redeemAuthorizationCode,
});

/**
 * Redeems a code for an authenticated client.
 * @param binding what the client has proven, a key or its certificate (token-binding.ts)
 */
export async function redeemAuthorizationCode(
  ctx: Context,
  client: Client,
  request: AuthorizationCodeRequest,
  binding: string | undefined,
): Promise<TokenResponse | OAuthError> {
  // Independent of the code: clients without a secret had to use PKCE (rule AUTHORIZE-4), so this is a missing
  // parameter.
  if (request.codeVerifier === undefined) {
    if (client.profile !== undefined) return invalidGrant("code_verifier is missing"); // FAPI 2.0 requires PKCE
    if (client.authenticationMethod === "none") return missingCodeVerifier();
  }
  const now = ctx.clock();
  const codeDigest = digest(request.code);
  const grant = await findGrantByCode(ctx.db, codeDigest);
  if (!grant) return invalidGrant("the code is unknown, or expired long ago");
  // RFC 6749 §4.1.3: bound to the client it was issued to. Another client that presents it must not end the owner's
  // grant.
  if (grant.clientId !== client.clientId) return invalidGrant("the code was issued to another client");
  if (grant.codeConsumedAt !== null) return replayed(ctx, grant);
  if ((grant.codeExpiresAt ?? 0) <= now) return invalidGrant("the code has expired");
  if (grant.revokedAt !== null || !grant.isValid) return invalidGrant("the sign-in behind the code has ended");
  if (grant.redirectUri !== request.redirectUri) {
    return invalidGrant("redirect_uri is not the one of the authorization request");
  }
  if (await isForbidden(ctx, client, grant.redirectUri, grant)) {
    return invalidGrant("the organization of the user does not allow this application");
  }
  const pkce = checkCodeVerifier(grant.codeChallenge, request.codeVerifier);
  if (pkce) return pkce;
  // RFC 9449 §10: the key that was named in the authorization request.
  if (!provesBinding(grant.jkt, binding)) return invalidGrant("the code is bound to another key");

  const audience = await audienceOfToken(ctx, client, grant, request.resources);
  if (isError(audience)) return audience;
  const scope = grant.scope.split(" ");
  const offline = isOffline(client, grant);
  const notAfter = endOfSession(grant, offline);
  const subject = { ...grant, grantId: grant.id, audience, notAfter, jkt: binding };
  const accessToken = await makeAccessToken(ctx, client, subject);
  const lifetimes = await lifetimesFor(ctx, client);
  const expiresAt = await endOfCodeGrant(ctx, client, grant);
  const refreshIdleUntil = offline ? refreshUntil(now, expiresAt, lifetimes) : null;
  const [redeemed, idToken] = await Promise.all([
    redeemCode(ctx.db, codeDigest, now, accessToken.row, {
      refreshIdleUntil,
      expiresAt,
      jkt: refreshKey(client, binding),
    }),
    idTokenOfGrant(ctx, client, grant, { scope, accessToken: accessToken.token, notAfter, nonce: grant.nonce }),
  ]);
  if (!redeemed) return replayed(ctx, grant); // another request redeemed it first
  const refreshToken = offline ? refreshTokenOf(ctx, { grantId: grant.id, generation: 0 }) : undefined;
  return tokenResponse(accessToken, idToken, refreshToken);
}

/** Rejects the request and revokes what was issued for the code (RFC 6749 §4.1.2). */
async function replayed(ctx: Context, grant: ValidGrant): Promise<OAuthError> {
  await revokeGrant(asSystem(ctx), grant, "code used twice");
  return invalidGrant("the code was used before; what was issued for it has been revoked");
}
