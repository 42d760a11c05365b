/** The response of the token endpoint (RFC 6749 §5.1, OIDC Core §3.1.3.3), with the same shape for every grant. */
import type { Context } from "../context";
import { idTokenScopeClaims } from "../protocol/claims";
import type { Client, TokenClient } from "../protocol/client";
import { ownFlatRoles } from "../protocol/roles-claim";
import { tokenTypeOf } from "../protocol/token-binding";
import { expiresIn } from "../protocol/token-expiry";
import type { Delegation, GrantRow } from "../storage/grant/grant";
import type { IssuedAccessToken } from "./access-tokens";
import { lifetimesFor } from "./client-lifetimes";
import { issueIdToken, type ShownIdToken, showIdToken } from "./id-token";
import { claimsAudienceOf, claimsFor, tokenClaimsAudience } from "./user-claims";

export interface TokenResponse {
  access_token: string;
  /** N_A if the token is not an access token (RFC 8693 §2.2.1). */
  token_type: "Bearer" | "DPoP" | "N_A";
  /** Only in a token exchange. */
  issued_token_type?: string;
  /** Absent only for a token of an identity provider that does not say it. */
  expires_in?: number;
  /**
   * The granted scopes, space-delimited; may be empty. Always present, as not all clients remember what they requested.
   */
  scope: string;
  id_token?: string;
  refresh_token?: string;
}

/** What an ID token has in common with the tokens issued with it. */
interface IssuedWith {
  scope: readonly string[];
  /** The latest time of expiry, in epoch milliseconds. */
  notAfter?: number;
  /** The nonce of the authorization request. Only the response to its code contains one (OIDC Core §12.2). */
  nonce?: string | null;
}

/**
 * Returns the ID token of a code or refresh response. It has scope claims only for apps with "User Info inside ID
 * Token".
 */
export async function idTokenOfGrant(
  ctx: Context,
  client: TokenClient,
  grant: GrantRow & Partial<Delegation>,
  { scope, accessToken, notAfter, nonce }: IssuedWith & { accessToken: string },
): Promise<string | undefined> {
  if (!scope.includes("openid")) return undefined;
  const userClaims = await claimsOfGrant(ctx, client, grant, scope);
  const authentication = { ...grant, grantId: grant.id };
  return issueIdToken(ctx, client, authentication, { nonce, accessToken, userClaims, notAfter });
}

/** Returns the content of an ID token issued now, without `nonce` and `at_hash`, which are useful only to its app. */
export async function shownIdTokenOfGrant(
  ctx: Context,
  client: TokenClient,
  grant: GrantRow & Partial<Delegation>,
  { scope, notAfter }: IssuedWith,
): Promise<ShownIdToken | undefined> {
  if (!scope.includes("openid")) return undefined;
  const userClaims = await claimsOfGrant(ctx, client, grant, scope);
  return showIdToken(ctx, client, { ...grant, grantId: grant.id }, { userClaims, notAfter });
}

async function claimsOfGrant(
  ctx: Context,
  client: TokenClient,
  grant: GrantRow,
  scope: readonly string[],
): Promise<Record<string, unknown> | undefined> {
  const claimsScope = idTokenScopeClaims(scope, true, client);
  const { idTokenRoleAssertion } = client;
  const { claimsRequest } = grant;
  // Avoids the query.
  const needsClaims =
    claimsScope.length > 0 || idTokenRoleAssertion || claimsRequest !== null || client.rolesClaim !== undefined;
  const about = tokenClaimsAudience(client, grant.audience.split(" "), idTokenRoleAssertion, ownFlatRoles(client));
  if (!needsClaims) return undefined;
  return claimsFor(ctx, grant.userId, { scope: claimsScope, claimsRequest, target: "idToken", about });
}

/** Returns an ID token issued alone. Without an access token, the requested claims must be in the ID token. */
export async function loneIdToken(
  ctx: Context,
  client: Client,
  grant: GrantRow & Delegation,
  { scope, notAfter }: IssuedWith,
): Promise<{ token: string; expiresIn: number }> {
  const claimsScope = idTokenScopeClaims(scope, false, client);
  const about = claimsAudienceOf(client, grant.audience.split(" "), ownFlatRoles(client));
  const userClaims = await claimsFor(ctx, grant.userId, {
    scope: claimsScope,
    claimsRequest: null,
    target: "idToken",
    about,
  });
  const token = await issueIdToken(ctx, client, { ...grant, grantId: grant.id }, { userClaims, notAfter });
  const lifetime = (await lifetimesFor(ctx, client)).idToken;
  const now = ctx.clock();
  return { token, expiresIn: expiresIn(Math.min(lifetime, (notAfter ?? now + lifetime) - now)) };
}

/** Returns the response; members without a value are omitted. */
export function tokenResponse(
  accessToken: IssuedAccessToken,
  idToken: string | undefined,
  refreshToken: string | undefined,
): TokenResponse {
  const { scope, jkt } = accessToken.row;
  return {
    access_token: accessToken.token,
    token_type: tokenTypeOf(jkt),
    expires_in: accessToken.expiresIn,
    scope,
    ...(idToken === undefined ? {} : { id_token: idToken }),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  };
}
