/**
 * Sign-outs that reach the other side of a sign-in at a provider: ours end the session there, where the provider's
 * options ask for it, by RP-Initiated Logout 1.0 or SAML, and those of an OpenID Connect provider end our sessions
 * (Back-Channel Logout 1.0; those of SAML are in `saml-sign-out.ts`). A logout token ends only sessions that began at
 * its own provider, so that no organization's provider signs out users of another (rules SIGNOUT-6 and SIGNOUT-7).
 */
import { setTimeout } from "node:timers/promises";
import { decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { findStoredProvider, type IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { sealTokens } from "../../directory/identity-provider/tokens";
import { asSystem, type Cause } from "../../events/record";
import { countProviderSignOut } from "../../metrics/instruments";
import { usedAssertion } from "../../oidc/assertions";
import { FLOW_LIFETIME, sealFlow } from "../../oidc/flow";
import { endpointsOf } from "../../oidc/provider-endpoints";
import { keysOf } from "../../oidc/published-keys";
import type { SignedOutAfter, SignedOutFlow } from "../../oidc/sign-out-flow";
import { assertionAlgorithms } from "../../protocol/client-credentials";
import { isCompactJws } from "../../protocol/compact-jws";
import { providerKinds } from "../../protocol/identity-provider";
import { isLoopbackUri } from "../../protocol/public-address";
import { signOut } from "../../sessions/session";
import { consumeAssertion } from "../../storage/grant/assertions";
import {
  findSessionsAtProvider,
  type NewProviderSession,
  takeProviderSession,
} from "../../storage/identity-provider/provider-sessions";
import type { ProvenIdentity } from "./identity";
import { samlLogoutAddress } from "./saml-sign-out";

/** Returns the row of a sign-in at a provider, to be stored; undefined for protocols without sessions. */
export function newProviderSession(
  ctx: Context,
  { id: providerId, options }: IdentityProvider,
  { atProvider }: Pick<ProvenIdentity, "atProvider">,
): NewProviderSession | undefined {
  if (!atProvider) return undefined;
  const { subject, sid = null, hint, tokens } = atProvider;
  const id = newId();
  const keepsHint = options.isFederatedLogoutEnabled && hint !== undefined;
  const sealedIdToken = keepsHint ? ctx.secrets.seal("identity-provider", hint) : null;
  const sealedTokens = tokens ? sealTokens(ctx, tokens) : null;
  const createdAt = ctx.clock();
  const expiresAt = createdAt + FLOW_LIFETIME;
  return { id, providerId, subject, sid, sealedIdToken, sealedTokens, createdAt, expiresAt };
}

/** The page to which providers lead back; it is registered there. */
export const signedOutPath = "/logout/done";

/** How long a sign-out waits for the document of a provider, and how old that may be, in milliseconds. */
const WAIT = 2_000;
const RECENT = 15_000;
/** Characters of an id_token that fit in an address. Without it, the provider asks the user. */
const MAX_HINT = 4_000;

/** Returns the address of the next provider that is informed of a sign-out; undefined after the last one. */
export async function nextProviderLogout(
  ctx: Context,
  { providers, ...after }: SignedOutAfter,
): Promise<string | undefined> {
  const [id, ...rest] = providers;
  if (id === undefined) return undefined;
  const signedOut = { ...after, providers: rest };
  return (await logoutAddress(ctx, id, signedOut)) ?? nextProviderLogout(ctx, signedOut);
}

async function logoutAddress(ctx: Context, id: string, after: SignedOutAfter): Promise<string | undefined> {
  const row = await takeProviderSession(ctx.db, id);
  const hint = row?.sealedIdToken && ctx.secrets.open("identity-provider", row.sealedIdToken);
  const provider = row && (await findStoredProvider(ctx, row.providerId));
  if (!hint || !provider?.isActive || !provider.options.isFederatedLogoutEnabled) return undefined;
  const address = await (provider.kind === "saml" ? samlLogoutAddress : endSessionAddress)(ctx, provider, hint, after);
  if (address !== undefined) countProviderSignOut(provider.kind, "sent");
  return address;
}

async function endSessionAddress(
  ctx: Context,
  provider: IdentityProvider,
  idToken: string,
  after: SignedOutAfter,
): Promise<string | undefined> {
  const endpoint = await endSessionEndpoint(ctx, provider);
  if (endpoint === undefined) return undefined;
  const url = new URL(endpoint);
  if (idToken.length <= MAX_HINT) url.searchParams.set("id_token_hint", idToken);
  url.searchParams.set("client_id", provider.settings.clientId ?? "");
  url.searchParams.set("post_logout_redirect_uri", `${ctx.config.baseUrl}${signedOutPath}`);
  if (after.providers.length > 0 || after.redirectTo !== undefined || after.chosen !== undefined) {
    const flow: SignedOutFlow = { kind: "signed-out", startedAt: ctx.clock(), ...after };
    url.searchParams.set("state", sealFlow(ctx, flow));
  }
  return url.href;
}

/** Returns where the provider ends sessions; undefined if it has no such address or is down. */
async function endSessionEndpoint(ctx: Context, provider: IdentityProvider): Promise<string | undefined> {
  const found = endpointsOf(ctx, provider, { atMostAge: RECENT }).then(
    ({ as }) => as.end_session_endpoint,
    () => undefined,
  );
  const address = await Promise.race([found, setTimeout(WAIT, undefined, { ref: false })]);
  if (typeof address !== "string" || !URL.canParse(address)) return undefined;
  return address.startsWith("https://") || isLoopbackUri(address) ? address : undefined;
}

const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** The tolerated clock difference, and how old a logout token may be, in milliseconds. */
const CLOCK_TOLERANCE = 60_000;
const MAX_AGE = 10 * 60_000;

/**
 * Ends the sessions that a logout token names (Back-Channel Logout 1.0 §2.6), with their tokens; offline access stays
 * (§2.7).
 * @returns why the token is refused, in words that repeat none of its values; undefined if it was carried out
 */
export async function endSessionsByProvider(
  ctx: Context,
  providerId: string,
  logoutToken: string,
  cause: Cause,
): Promise<string | undefined> {
  const provider = await findStoredProvider(ctx, providerId);
  if (!provider || providerKinds[provider.kind].protocol !== "oidc") return "this provider does not exist";
  const verified = await verifyLogoutToken(ctx, provider, logoutToken);
  if (typeof verified === "string") {
    countProviderSignOut(provider.kind, "refused");
    ctx.log.info({ providerId, reason: verified }, "logout token of an identity provider refused");
    return verified;
  }
  const { sid, sub: subject } = verified as { sid?: string; sub?: string };
  for (const session of await findSessionsAtProvider(ctx.db, { providerId, sid, subject })) {
    await signOut(asSystem(ctx, cause), session, "none", providerId);
  }
  countProviderSignOut(provider.kind, "received");
  return undefined;
}

async function verifyLogoutToken(
  ctx: Context,
  provider: IdentityProvider,
  token: string,
): Promise<JWTPayload | string> {
  if (!isCompactJws(token)) return "it is not a JWT in compact form";
  const now = ctx.clock();
  let claims: JWTPayload;
  try {
    const { typ = "JWT" } = decodeProtectedHeader(token);
    // Providers from before the final specification send no type of their own (§2.4).
    if (!/^(application\/)?(logout\+jwt|jwt)$/i.test(typ)) return "it is a token of another kind";
    const { as } = await endpointsOf(ctx, provider);
    const keys = keysOf(ctx, { jwks: null, jwksUri: as.jwks_uri, devMode: true });
    ({ payload: claims } = await jwtVerify(token, keys, {
      algorithms: [...assertionAlgorithms],
      issuer: as.issuer,
      audience: provider.settings.clientId,
      requiredClaims: ["iat", "exp", "jti", "events"],
      currentDate: new Date(now),
      clockTolerance: CLOCK_TOLERANCE / 1000,
    }));
  } catch (error) {
    const { claim, code = "unforeseen" } = error as { claim?: string; code?: string };
    return claim === undefined ? `it cannot be verified (${code})` : `its ${claim} is missing or not valid`;
  }
  const { iat = 0, exp = 0, jti, sub, sid, events } = claims;
  const age = now - iat * 1000;
  if (age < -CLOCK_TOLERANCE || age > MAX_AGE + CLOCK_TOLERANCE) return "it was not issued recently";
  const event = (events as Record<string, unknown> | null)?.[LOGOUT_EVENT];
  if (typeof event !== "object" || event === null) return "it has no logout event";
  if ("nonce" in claims) return "it has a nonce, which only an id_token has";
  if (typeof jti !== "string" || jti === "") return "its jti is not a text";
  if (sub === undefined && sid === undefined) return "it has neither sub nor sid";
  const isText = (value: unknown) => value === undefined || (typeof value === "string" && value !== "");
  if (!isText(sub) || !isText(sid)) return "its sub or sid is not a text";
  const until = Math.min(exp * 1000, iat * 1000 + MAX_AGE) + 2 * CLOCK_TOLERANCE;
  const id = usedAssertion("provider", `logout ${provider.id}`, jti);
  return (await consumeAssertion(ctx.db, id, until)) ? claims : "it was used before";
}
