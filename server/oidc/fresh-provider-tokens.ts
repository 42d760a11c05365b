/**
 * The kept tokens of an identity provider, refreshed at the provider when they end. One process refreshes at a time, as
 * many providers accept a refresh token once; the others wait for its result in the database.
 */
import { setTimeout as pause } from "node:timers/promises";
import * as oauth from "oauth4webapi";
import type { Context } from "../context";
import type { IdentityProvider } from "../directory/identity-provider/identity-provider";
import { issuedBy, openTokens, type ProviderTokens, sealTokens, tokensIn } from "../directory/identity-provider/tokens";
import {
  deleteSeenTokens,
  endLease,
  findProviderTokens,
  leaseRefresh,
  replaceProviderTokens,
  type SeenTokens,
} from "../storage/identity-provider/provider-tokens";
import { clientAuthOf, endpointsOf, errorIn } from "./provider-endpoints";

/** `none` are kept; the provider has `ended` them; it is `unavailable`. */
export type NoTokens = "none" | "ended" | "unavailable";

/** A token that ends sooner is refreshed, in milliseconds. */
const MARGIN = 60_000;
/** Longer than the document and the tokens of a slow provider take, in milliseconds. */
const LEASE = 20_000;
/** How long a provider that failed is not asked again for the same user, in milliseconds. */
const RETRY_AFTER_FAILURE = 5_000;
/** How often, and after how many milliseconds, a waiting process looks for the result of another. */
const LOOKS = 40;
const BETWEEN_LOOKS = 250;

/** Returns the user's tokens, or why there are none. */
export async function freshProviderTokens(
  ctx: Context,
  provider: IdentityProvider,
  userId: string,
): Promise<ProviderTokens | NoTokens> {
  for (let look = 0; look < LOOKS; look++) {
    const row = await findProviderTokens(ctx.db, provider.id, userId);
    const tokens = row && openTokens(ctx, row.sealedTokens);
    if (!row || tokens?.issuedTo !== issuedBy(provider.settings)) return "none";
    const now = ctx.clock();
    const left = (tokens.expiresAt ?? Number.POSITIVE_INFINITY) - now;
    if (left > MARGIN) return tokens;
    const isUsable = left > 0;
    if (tokens.refreshToken === undefined) return isUsable ? tokens : "ended";
    if (await leaseRefresh(ctx.db, row, { now, until: now + LEASE })) {
      const refreshed = await refresh(ctx, provider, row, tokens);
      if (refreshed !== "overtaken") return refreshed === "unavailable" && isUsable ? tokens : refreshed;
    } else if (isUsable) return tokens;
    else await pause(BETWEEN_LOOKS);
  }
  return "unavailable";
}

/** Refreshes the tokens and stores the new ones. @returns "overtaken" if a sign-in has replaced them meanwhile */
async function refresh(
  ctx: Context,
  provider: IdentityProvider,
  seen: SeenTokens,
  tokens: ProviderTokens,
): Promise<ProviderTokens | "ended" | "unavailable" | "overtaken"> {
  try {
    const refreshed = await refreshAt(ctx, provider, tokens);
    if (refreshed === "ended") {
      await deleteSeenTokens(ctx.db, seen);
      return "ended";
    }
    return (await replaceProviderTokens(ctx.db, seen, sealTokens(ctx, refreshed))) ? refreshed : "overtaken";
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "unforeseen";
    ctx.log.warn({ providerId: provider.id, reason }, "tokens of an identity provider could not be refreshed");
    await endLease(ctx.db, seen, ctx.clock() + RETRY_AFTER_FAILURE);
    return "unavailable";
  }
}

/** Error codes of a refresh token that no longer works; GitHub has its own. Others concern the client or provider. */
const ENDED: ReadonlySet<string> = new Set(["invalid_grant", "bad_refresh_token"]);

async function refreshAt(
  ctx: Context,
  provider: IdentityProvider,
  { refreshToken = "", externalId, scope }: ProviderTokens,
): Promise<ProviderTokens | "ended"> {
  const { as, client, options } = await endpointsOf(ctx, provider);
  const auth = await clientAuthOf(provider, as);
  const response = await oauth.refreshTokenGrantRequest(as, client, auth, refreshToken, options);
  const error = await errorIn(response.clone());
  if (error !== undefined && ENDED.has(error)) return "ended";
  if (error !== undefined || response.status !== 200) throw new Error(`it answered ${error ?? response.status}`);
  // The id_token that some send again proves nothing that is needed here.
  const { id_token: _, ...answer } = (await response.json()) as Record<string, unknown>;
  const refreshed = tokensIn(ctx, provider, externalId, { scope, refresh_token: refreshToken, ...answer });
  if (!refreshed) throw new Error("its answer has no token that can be kept");
  return refreshed;
}
