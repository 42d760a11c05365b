/**
 * Claims about a user for a client (OIDC Core §5.4): what userinfo answers, and what an id_token carries where no
 * access token is issued beside it.
 */
import type { Context } from "../context";
import { findClaimsSource } from "../directory/user";
import { userClaims } from "../protocol/claims";
import type { ClaimsRequest } from "../protocol/claims-request";

/**
 * @param claimsRequest the claims request parameter as it was stored with the grant
 * @returns undefined if the user is gone
 */
export async function claimsFor(
  ctx: Context,
  userId: string,
  scope: readonly string[],
  claimsRequest: string | null,
  target: keyof ClaimsRequest,
): Promise<Record<string, unknown> | undefined> {
  const source = await findClaimsSource(ctx, userId);
  if (!source) return undefined;
  const requested = claimsRequest === null ? undefined : (JSON.parse(claimsRequest) as ClaimsRequest)[target];
  return userClaims(source, scope, Object.keys(requested ?? {}));
}
