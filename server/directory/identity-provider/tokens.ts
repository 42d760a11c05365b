/**
 * The tokens that a provider issued at a user's last sign-in, sealed beside the link. They are kept only where the
 * provider's options name apps that get them, and end with the link, the option, or the server or client of the
 * provider. They are never part of events, exports and answers of the management APIs.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { inTransaction, type TransactionContext } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import {
  type IdentityProviderOptions,
  type IdentityProviderSettings,
  providerKinds,
} from "../../protocol/identity-provider";
import { reason } from "../../protocol/reason";
import { readIdentityLink } from "../../storage/identity-provider/links";
import { findTokensOfSignIn, forgetTokensOfSignIn } from "../../storage/identity-provider/provider-sessions";
import { putProviderTokens, readProviderTokens } from "../../storage/identity-provider/provider-tokens";
import { findClient } from "../app/app";
import type { ProviderOwner } from "../provider/channel";
import { type ReadProvider, wrongIdentityProvider } from "./forms";
import type { IdentityProvider } from "./identity-provider";

export interface ProviderTokens {
  externalId: string;
  /** The server and the client that they were issued to. */
  issuedTo: string;
  accessToken: string;
  refreshToken?: string;
  /** Epoch milliseconds; undefined if the provider does not say. */
  expiresAt?: number;
  scope?: string;
}

/** Characters as JSON; of larger tokens none are kept. */
const MAX_LENGTH = 32_768;

export const keepsTokens = ({ tokenClientIds = [] }: IdentityProviderOptions): boolean => tokenClientIds.length > 0;

/** Names the server and the client of a provider: a refresh token is never sent to another one. */
export const issuedBy = ({ issuer, tokenEndpoint, tenant, clientId }: IdentityProviderSettings): string =>
  JSON.stringify([issuer, tokenEndpoint, tenant?.tenantType, tenant?.tenantId, clientId]);

const answer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional().catch(undefined),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
  scope: z.string().optional().catch(undefined),
});

/** Returns the tokens of a provider's response; undefined if they are too large to be kept. */
export function tokensIn(
  ctx: Pick<Context, "clock">,
  { kind, settings }: Pick<IdentityProvider, "kind" | "settings">,
  externalId: string,
  response: unknown,
): ProviderTokens | undefined {
  const { protocol, scopes } = providerKinds[kind];
  const read = answer.safeParse(response);
  if (!read.success || (protocol !== "oidc" && protocol !== "oauth")) return undefined;
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = read.data;
  const tokens = {
    externalId,
    issuedTo: issuedBy(settings),
    accessToken,
    refreshToken,
    expiresAt: seconds === undefined ? undefined : ctx.clock() + seconds * 1000,
    scope: scope ?? (settings.scopes?.length ? settings.scopes : scopes).join(" "),
  };
  return JSON.stringify(tokens).length <= MAX_LENGTH ? tokens : undefined;
}

export const sealTokens = (ctx: Context, tokens: ProviderTokens): string =>
  ctx.secrets.seal("identity-provider", JSON.stringify(tokens));

/** Returns the tokens; undefined if the key that sealed them is lost. */
export function openTokens(ctx: Context, sealed: string): ProviderTokens | undefined {
  const opened = ctx.secrets.open("identity-provider", sealed);
  return opened === undefined ? undefined : (JSON.parse(opened) as ProviderTokens);
}

/** Keeps the tokens of a sign-in that has ended with a session of the user. */
export async function keepTokensOfSignIn(ctx: Context, signIn: string, userId: string): Promise<void> {
  const found = await findTokensOfSignIn(ctx.db, signIn);
  const tokens = found && openTokens(ctx, found.sealedTokens);
  if (!found || !tokens) return;
  await inTransaction(ctx, async (ctx) => {
    await keepTokensIn(ctx, found.providerId, userId, tokens);
    await forgetTokensOfSignIn(ctx.tx, signIn);
  });
}

/** Keeps the tokens of an account that was linked to the user. */
export const keepTokens = (ctx: Context, providerId: string, userId: string, tokens: ProviderTokens): Promise<void> =>
  inTransaction(ctx, (ctx) => keepTokensIn(ctx, providerId, userId, tokens));

/** Providers such as Google issue a refresh token only at the first sign-in: it is kept if there is no new one. */
async function keepTokensIn(ctx: TransactionContext, providerId: string, userId: string, tokens: ProviderTokens) {
  const { externalId, issuedTo } = tokens;
  const link = { providerId, externalId };
  // Only of the user who has proven the account.
  if ((await readIdentityLink(ctx.tx, providerId, externalId))?.userId !== userId) return;
  const stored = await readProviderTokens(ctx.tx, link);
  const former = stored && openTokens(ctx, stored.sealedTokens);
  const refreshToken = tokens.refreshToken ?? (former?.issuedTo === issuedTo ? former.refreshToken : undefined);
  const sealedTokens = sealTokens(ctx, { ...tokens, refreshToken });
  await putProviderTokens(ctx.tx, { id: newId(), ...link, sealedTokens, signedInAt: ctx.clock() });
}

/** Returns the refusal of options that name an app which could never get the tokens. */
export async function checkTokenClients(
  ctx: Context,
  { level, ownerId }: ProviderOwner,
  read: ReadProvider | ApiError,
): Promise<ReadProvider | ApiError> {
  if (isApiError(read)) return read;
  for (const [index, clientId] of (read.options.tokenClientIds ?? []).entries()) {
    const client = await findClient(ctx, clientId);
    const field = `providerOptions.tokenClientIds[${index}]`;
    if (!client || (level === "organization" && client.organizationId !== ownerId)) {
      return wrongIdentityProvider(field, reason("own_client_id"));
    }
  }
  return read;
}
