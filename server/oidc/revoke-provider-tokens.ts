/**
 * The revocation of kept tokens at their identity provider (RFC 7009), after the change that deleted them here. It is
 * done on a best effort: it holds up no request, and a provider that fails keeps no change from happening.
 */
import * as oauth from "oauth4webapi";
import { createQueue, QueueFull } from "../concurrency/queue";
import type { Context } from "../context";
import { findStoredProvider, type IdentityProvider } from "../directory/identity-provider/identity-provider";
import { issuedBy, openTokens } from "../directory/identity-provider/tokens";
import type { UserRef } from "../directory/user/change";
import { removeUser } from "../directory/user/set-state";
import type { Details, OriginContext } from "../events/record";
import { countProviderToken } from "../metrics/instruments";
import type { ApiError } from "../protocol/api-error";
import { type KeptTokens, listKeptTokens, type TokensOf } from "../storage/identity-provider/provider-tokens";
import { clientAuthOf, endpointsOf, errorIn } from "./provider-endpoints";

/** The largest number of tokens that are revoked after one change. */
const MAX_TOKENS = 1_000;
/** The providers at which tokens are revoked at once. */
const revoking = createQueue({ atOnce: () => 4, longest: () => 256, refuse: () => new QueueFull() });

/**
 * Runs a change that may delete kept tokens. Those that it has deleted are then revoked, at the provider with the
 * settings from before the change.
 * @param of the tokens that the change may delete
 */
export async function revokingProviderTokens<Result>(
  ctx: Context,
  of: TokensOf,
  change: () => Promise<Result>,
): Promise<Result> {
  const before = await listKeptTokens(ctx.db, of, MAX_TOKENS);
  if (before.length === 0) return change();
  const providers: IdentityProvider[] = [];
  for (const id of new Set(before.map(({ providerId }) => providerId))) {
    const provider = await findStoredProvider(ctx, id);
    if (provider) providers.push(provider);
  }
  const result = await change();
  const left = new Set((await listKeptTokens(ctx.db, of, MAX_TOKENS)).map(({ id }) => id));
  for (const provider of providers) {
    const deleted = before.filter(({ id, providerId }) => providerId === provider.id && !left.has(id));
    if (deleted.length > 0) void revokeAll(ctx, provider, deleted);
  }
  return result;
}

/** Removes a user, also from the providers whose tokens were kept. */
export const removeUserWithTokens = (ctx: OriginContext, ref: UserRef): Promise<Details | ApiError> =>
  revokingProviderTokens(ctx, { userId: ref.userId }, () => removeUser(ctx, ref));

/** Revokes tokens one after the other, up to the first that cannot be sent. Never rejects. */
async function revokeAll(ctx: Context, provider: IdentityProvider, deleted: readonly KeptTokens[]): Promise<void> {
  let sent = 0;
  try {
    await revoking.run(async () => {
      for (const { sealedTokens } of deleted) {
        await revoke(ctx, provider, sealedTokens);
        sent++;
      }
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "unforeseen";
    const facts = { providerId: provider.id, reason, count: deleted.length - sent };
    ctx.log.warn(facts, "tokens of an identity provider could not be revoked");
    for (const _ of deleted.slice(sent)) countProviderToken(provider.kind, "unrevoked");
  }
}

/** A refresh token is revoked together with the access tokens that were made from it (RFC 7009 §2.1). */
async function revoke(ctx: Context, provider: IdentityProvider, sealedTokens: string): Promise<void> {
  const tokens = openTokens(ctx, sealedTokens);
  if (tokens?.issuedTo !== issuedBy(provider.settings)) return;
  const { as, client, options } = await endpointsOf(ctx, provider);
  if (as.revocation_endpoint === undefined) return;
  const { refreshToken, accessToken } = tokens;
  const response = await oauth.revocationRequest(
    ...([as, client, await clientAuthOf(provider, as), refreshToken ?? accessToken] as const),
    { ...options, additionalParameters: { token_type_hint: refreshToken ? "refresh_token" : "access_token" } },
  );
  if (response.status === 200) return countProviderToken(provider.kind, "revoked");
  countProviderToken(provider.kind, "unrevoked");
  const reason = `it answered ${(await errorIn(response)) ?? response.status}`;
  ctx.log.warn({ providerId: provider.id, reason }, "a token of an identity provider could not be revoked");
}
