/**
 * Sign-ins at identity providers for the pages of a login client. What the provider proves is kept sealed for minutes
 * under a token, which the browser brings to the login client. The token reads it, and is the factor of one session
 * (rule LOGIN-4, login/client/check-session.ts). Which user it signs in is decided there, by the rules of our own pages
 * (finish.ts).
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { newId, randomSecret } from "../../crypto/random";
import {
  findStoredProvider,
  type IdentityProvider,
  noIdentityProvider,
} from "../../directory/identity-provider/identity-provider";
import { countProviderSignIn } from "../../metrics/instruments";
import type { SignInFlow } from "../../oidc/flow";
import { type ApiError, failedPrecondition, isApiError, notFound } from "../../protocol/api-error";
import type { DirectorySettings } from "../../protocol/identity-provider";
import { findIdentityLink } from "../../storage/identity-provider/links";
import { consumeOneTimeToken, findOneTimeToken, insertOneTimeToken } from "../../storage/user/one-time-tokens";
import type { Attempt } from "../attempt";
import { tooManyAttempts } from "../refused-password";
import { refusedInSteadyTime } from "../steady-time";
import { proveAtDirectory } from "./directory-proof";
import { redeemResponse } from "./exchange";
import type { Claims, ProvenIdentity } from "./identity";
import type { ExchangeOutcome } from "./outcome";
import { type StartedAtProvider, type StartedIntent, storeStart } from "./start";

/** How long a token works, in milliseconds: as long as a new account takes to fill in. */
const KEPT = 10 * 60_000;
/** Characters of what the provider said, as JSON; of more only the identity is kept. */
const MAX_CLAIMS = 16_384;

/** What a provider has proven. */
export interface ProviderIntent {
  id: string;
  identity: ProvenIdentity;
  claims: Claims;
  /** Epoch milliseconds. */
  provenAt: number;
}

/** The token of an intent, and the user whom its account signs in, if there is one. */
export interface KeptIntent {
  id: string;
  token: string;
  userId?: string;
}

const newFlow = (ctx: Context): SignInFlow => ({ kind: "sign-in", startedAt: ctx.clock() });

async function activeProvider(ctx: Context, id: string): Promise<IdentityProvider | ApiError> {
  const provider = await findStoredProvider(ctx, id);
  return provider?.isActive ? provider : noIdentityProvider();
}

/** Starts a sign-in in the browser. @returns the address at the provider to which the browser is sent */
export async function startIntent(
  ctx: Context,
  providerId: string,
  urls: Omit<StartedIntent, "id">,
): Promise<{ url: string } | ApiError> {
  const provider = await activeProvider(ctx, providerId);
  if (isApiError(provider)) return provider;
  if (provider.kind === "ldap") return wrongWay("An LDAP directory takes `ldap` with the user's password.");
  const start = { flow: newFlow(ctx), chosenLocale: undefined, intent: { id: newId(), ...urls } };
  const url = await storeStart(ctx, provider, start, { prompt: [] });
  return typeof url === "string"
    ? failedPrecondition("idp_intent.failed", "The identity provider can't be reached.")
    : { url: url.href };
}

const wrongWay = (words: string): ApiError => failedPrecondition("idp_intent.wrong_way", words);

/** Checks the password of a user at an LDAP directory, with the limits of our own page. */
export async function proveIntent(
  ctx: Context,
  providerId: string,
  given: { loginName: string; password: string },
  attempt: Attempt,
): Promise<KeptIntent | ApiError> {
  const provider = await activeProvider(ctx, providerId);
  if (isApiError(provider)) return provider;
  if (provider.kind !== "ldap") return wrongWay("Only LDAP directories take `ldap`; send the browser with `urls`.");
  const at = { flow: newFlow(ctx), provider: provider as IdentityProvider & { settings: DirectorySettings } };
  const isRefused = ({ kind }: { kind: string }) => kind === "again";
  const proven = await refusedInSteadyTime(ctx, isRefused, () => proveAtDirectory(ctx, at, { ...given, ...attempt }));
  if (proven.kind === "identity") return keepIntent(ctx, newId(), proven);
  if (proven.kind !== "again") return failedPrecondition("idp_intent.failed", "The directory gave no usable answer.");
  const { error, retryAt } = proven.flow;
  if (error === "throttled" || error === "busy") return tooManyAttempts(ctx, retryAt);
  return failedPrecondition("idp_intent.denied", "The login name or the password is wrong.");
}

/** Ends a sign-in by the response of the provider. @returns the address at the login client */
export async function endIntent(
  ctx: Context,
  started: StartedAtProvider,
  { id, successUrl, failureUrl }: StartedIntent,
  provider: IdentityProvider | undefined,
  parameters: URLSearchParams,
): Promise<URL> {
  const outcome: ExchangeOutcome = provider?.isActive
    ? await redeemResponse(ctx, provider, parameters, started)
    : { kind: "failed", detail: "the provider is not active" };
  if (outcome.kind === "identity") {
    const { token, userId } = await keepIntent(ctx, id, outcome);
    return withQuery(successUrl, { id, token, user: userId });
  }
  const isDenied = outcome.kind === "denied";
  if (provider) countProviderSignIn(provider.kind, isDenied ? "denied" : "failed");
  ctx.log.info({ providerId: started.providerId, reason: isDenied ? outcome.error : outcome.detail }, "intent failed");
  // The login client gets no detail: the failure page is open to anyone.
  return withQuery(failureUrl, { id, error: isDenied ? "access_denied" : "server_error" });
}

function withQuery(address: string, values: Readonly<Record<string, string | undefined>>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

async function keepIntent(
  ctx: Context,
  id: string,
  { identity, claims }: Extract<ExchangeOutcome, { kind: "identity" }>,
): Promise<KeptIntent> {
  const token = randomSecret();
  const now = ctx.clock();
  const isSmall = JSON.stringify(claims).length <= MAX_CLAIMS;
  const intent: ProviderIntent = { id, identity, claims: isSmall ? claims : {}, provenAt: now };
  const row = {
    digest: digest(token),
    purpose: "provider_intent" as const,
    subjectId: null,
    payload: { sealed: ctx.secrets.seal("provider-intent", JSON.stringify(intent)) },
    createdAt: now,
    expiresAt: now + KEPT,
  };
  await ctx.db.transaction((tx) => insertOneTimeToken(tx, row));
  return { id, token, userId: await linkedUserId(ctx, intent) };
}

export const linkedUserId = async (ctx: Context, { identity }: ProviderIntent): Promise<string | undefined> =>
  (await findIdentityLink(ctx.db, identity.providerId, identity.externalId))?.userId;

/** Returns what was proven; a wrong, used or expired token gives the same error. */
export async function readIntent(ctx: Context, id: string, token: string): Promise<ProviderIntent | ApiError> {
  const row = await findOneTimeToken<{ sealed: string }>(ctx.db, digest(token));
  const isOpen = row?.purpose === "provider_intent" && row.consumedAt === null && row.expiresAt > ctx.clock();
  const opened = isOpen ? ctx.secrets.open("provider-intent", row.payload.sealed) : undefined;
  const intent = opened === undefined ? undefined : (JSON.parse(opened) as ProviderIntent);
  return intent?.id === id ? intent : noSuchIntent();
}

/** Uses a token up. @returns what was proven, to one caller */
export async function consumeIntent(ctx: Context, id: string, token: string): Promise<ProviderIntent | ApiError> {
  const intent = await readIntent(ctx, id, token);
  if (isApiError(intent)) return intent;
  const now = ctx.clock();
  const isFirst = await ctx.db.transaction((tx) => consumeOneTimeToken(tx, digest(token), "provider_intent", now));
  return isFirst ? intent : noSuchIntent();
}

const noSuchIntent = (): ApiError =>
  notFound("idp_intent.not_found", "This sign-in at an identity provider was used, or has expired. Start another one.");
