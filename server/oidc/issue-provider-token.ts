/**
 * Hands an app the access token that an identity provider issued for its user (rule EXCHANGE-9). The options of the
 * provider name the app, which is one of the provider's organization; any for a provider of the service (attack: an
 * organization whose app asks for what users keep at the provider of another).
 */
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { findStoredProvider, type IdentityProvider } from "../directory/identity-provider/identity-provider";
import { findInstance } from "../directory/instance";
import { firstEvent } from "../events/first";
import { countProviderToken } from "../metrics/instruments";
import type { Client } from "../protocol/client";
import {
  invalidGrant,
  invalidRequest,
  invalidTarget,
  type OAuthError,
  temporarilyUnavailable,
  unauthorizedClient,
} from "../protocol/oauth-error";
import { type ProviderTokenRequest, tokenTypes } from "../protocol/token-exchange-request";
import { expiresIn } from "../protocol/token-expiry";
import { recordIssued } from "../storage/grant/grant";
import { checkAppAccess } from "./app-access";
import { readParty } from "./exchange-parties";
import { freshProviderTokens, type NoTokens } from "./fresh-provider-tokens";
import type { TokenResponse } from "./token-response";

const REFUSALS: Readonly<Record<NoTokens, OAuthError>> = {
  none: invalidGrant("no token of this provider is kept for the user, who must sign in by it again"),
  ended: invalidGrant("the provider has ended the access, and the user must sign in by it again"),
  unavailable: temporarilyUnavailable("the provider does not issue a new token now; try again later"),
};

export async function issueProviderToken(
  ctx: Context,
  client: Client,
  request: ProviderTokenRequest,
): Promise<TokenResponse | OAuthError> {
  if (client.authenticationMethod === "none") {
    return unauthorizedClient("tokens of identity providers are for clients that authenticate");
  }
  const provider = await findStoredProvider(ctx, request.requestedIssuer);
  if (!provider?.isActive || !(await mayGetTokens(ctx, client, provider))) {
    return invalidTarget("requested_issuer is no identity provider whose tokens this client may get");
  }
  const party = await readParty(ctx, client, request.subject);
  if ("problem" in party) return invalidRequest(`subject_token is not accepted: ${party.problem}`);
  const { userId, organizationId, holder, grantId, act } = party;
  if (holder !== client.clientId || grantId === null) {
    return invalidRequest("subject_token is not accepted: it was issued to another client");
  }
  // Who acts for the user here does not act for them elsewhere.
  if (act) return invalidRequest("subject_token is not accepted: it has an actor");
  const refusal = await checkAppAccess(ctx, client, { userId, organizationId });
  if (refusal) return invalidRequest(refusal.description);

  const tokens = await freshProviderTokens(ctx, provider, userId);
  countProviderToken(provider.kind, typeof tokens === "string" ? tokens : "issued");
  if (typeof tokens === "string") return REFUSALS[tokens];
  const { accessToken, expiresAt, scope = "", externalId: linkedUserId } = tokens;
  const event = firstEvent(ctx, {
    type: "grant.provider_token.issued",
    object: { id: newId(), organizationId },
    origin: { actor: userId },
    payload: { userId, clientId: client.clientId, providerId: provider.id, linkedUserId },
  });
  if (!(await recordIssued(ctx.db, grantId, event))) return invalidRequest("the sign-in behind it has ended");
  return {
    access_token: accessToken,
    issued_token_type: tokenTypes.accessToken,
    token_type: "Bearer",
    ...(expiresAt !== undefined && { expires_in: expiresIn(expiresAt - ctx.clock()) }),
    scope,
  };
}

async function mayGetTokens(
  ctx: Context,
  { clientId, organizationId }: Client,
  { options, ownerId }: IdentityProvider,
): Promise<boolean> {
  if (!options.tokenClientIds?.includes(clientId)) return false;
  return ownerId === organizationId || ownerId === (await findInstance(ctx)).id;
}
