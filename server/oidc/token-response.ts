/**
 * The answer of the token endpoint (RFC 6749 §5.1, OIDC Core §3.1.3.3), the same shape for every grant.
 */
import type { Context } from "../context";
import { idTokenScopeClaims } from "../protocol/claims";
import type { TokenClient } from "../protocol/client";
import type { Delegation, GrantRow } from "../storage/grants";
import type { IssuedAccessToken } from "./access-tokens";
import { issueIdToken } from "./id-token";
import { claimsFor, tokenClaimsAudience } from "./user-claims";

export interface TokenResponse {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  /** Left out where the access token has none. */
  scope?: string;
  id_token?: string;
  refresh_token?: string;
}

/** The ID token of a code or refresh response: scope claims only for apps with "User Info inside ID Token". */
export async function idTokenOfGrant(
  ctx: Context,
  client: TokenClient,
  grant: GrantRow & Partial<Delegation>,
  scope: readonly string[],
  accessToken: string,
): Promise<string | undefined> {
  if (!scope.includes("openid")) return undefined;
  const claimsScope = idTokenScopeClaims(scope, true, client);
  const { idTokenRoleAssertion } = client;
  const needsClaims = claimsScope.length > 0 || idTokenRoleAssertion || grant.claimsRequest !== null; // else spare the read
  const about = tokenClaimsAudience(client, grant.audience.split(" "), idTokenRoleAssertion);
  const userClaims = needsClaims
    ? await claimsFor(ctx, grant.userId, claimsScope, grant.claimsRequest, "idToken", about)
    : undefined;
  return issueIdToken(ctx, client, grant, { nonce: grant.nonce, accessToken, userClaims });
}

export function tokenResponse(
  accessToken: IssuedAccessToken,
  scope: string,
  idToken: string | undefined,
  refreshToken: string | undefined,
): TokenResponse {
  return {
    access_token: accessToken.token,
    token_type: "Bearer",
    expires_in: accessToken.expiresIn,
    ...(scope === "" ? {} : { scope }),
    ...(idToken === undefined ? {} : { id_token: idToken }),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  };
}
