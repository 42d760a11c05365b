/**
 * Starts a sign-in at an identity provider. The flow, the nonce and the PKCE verifier are stored sealed under the
 * state, which works once, for half an hour, and only in this browser (attack: login CSRF, a response that a stranger
 * started). Each start has a state of its own, so that several tabs can sign in at once. A login client checks itself
 * that the browser which comes back is the one that it sent.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { randomSecret } from "../../crypto/random";
import { type IdentityProvider, listOfferedProviders } from "../../directory/identity-provider/identity-provider";
import { countProviderSignIn } from "../../metrics/instruments";
import { requiredOrganization } from "../../oidc/app-access";
import { FLOW_LIFETIME, type SignInFlow, scopeOf, withoutError } from "../../oidc/flow";
import type { Client } from "../../protocol/client";
import { isError } from "../../protocol/oauth-error";
import { listBrowserSessions } from "../../sessions/session";
import {
  findOneTimeToken,
  insertOf,
  type NewOneTimeToken,
  storeOneTimeToken,
} from "../../storage/user/one-time-tokens";
import { counter, countFailures, limits, networkOf, tally } from "../../throttle";
import type { Attempt } from "../attempt";
import { pagePolicyOwner } from "../continue-flow";
import { resolveName } from "../identify";
import { noteInFlow } from "../note-attempt";
import { knownLoginName } from "../sign-in";
import { type ProviderRequest, type ProviderWishes, providerAddress, requiredAge } from "./exchange";

export interface StartedAtProvider extends ProviderRequest {
  providerId: string;
  flow: SignInFlow;
  chosenLocale: string | undefined;
  /** Digest of the cookie of the browser that started it; undefined if a login client did. */
  browser?: string;
  /** What a login client started (intent.ts). */
  intent?: StartedIntent;
}

/** A sign-in at a provider for the pages of a login client, which the browser comes back to. */
export interface StartedIntent {
  id: string;
  successUrl: string;
  failureUrl: string;
}

export type StartOutcome =
  | { kind: "redirect"; url: URL; provider: string }
  /** The password for the directory is asked for on a page of this service. */
  | { kind: "password"; providerId: string; flow: SignInFlow }
  | { kind: "too-many" }
  /** The provider cannot be reached. */
  | { kind: "failed" }
  /** It is not offered here any more. */
  | { kind: "gone" };

/**
 * Returns the providers on the sign-in page of a flow: those of the organization whose verified domain a typed name
 * has, else those of the organization whose policies apply. Users are not looked up, so the buttons reveal no account.
 */
export async function listFlowProviders(
  ctx: Context,
  flow: SignInFlow,
  application: Client | undefined,
): Promise<readonly IdentityProvider[]> {
  const required = await requiredOrganization(ctx, scopeOf(flow));
  const name = knownLoginName(flow);
  const byDomain = name.includes("@")
    ? (await resolveName(ctx, name, isError(required) ? undefined : required)).organizationId
    : undefined;
  return listOfferedProviders(ctx, byDomain ?? (await pagePolicyOwner(ctx, flow, application)));
}

export interface StartingBrowser {
  /** The value of the cookie. */
  browser: string;
  chosenLocale: string | undefined;
}

/** Starts the sign-in. */
export async function startAtProvider(
  ctx: Context,
  { flow, application, providerId }: { flow: SignInFlow; application: Client | undefined; providerId: string },
  by: StartingBrowser,
  attempt: Attempt,
): Promise<StartOutcome> {
  const provider = (await listFlowProviders(ctx, flow, application)).find(({ id }) => id === providerId);
  if (!provider) return { kind: "gone" };
  const name = knownLoginName(flow);
  const { maxAge } = flow.request ?? {};
  const prompt = await promptFor(ctx, flow, attempt);
  const wishes = { prompt, maxAge, loginHint: name.includes("@") ? name : undefined };
  return leadToProvider(ctx, provider, { flow, wishes }, by, attempt);
}

/**
 * Returns the `prompt` for the provider: what was requested, a new sign-in where our page requires one, and the choice
 * of an account if another user is signed in in this browser, who would otherwise be signed in again without a page.
 */
async function promptFor(ctx: Context, flow: SignInFlow, { userAgent }: Attempt): Promise<readonly string[]> {
  const { prompt = [], maxAge } = flow.request ?? {};
  if (flow.fresh) return ["login"];
  if (prompt.length > 0 || maxAge !== undefined) return prompt;
  return (await listBrowserSessions(ctx, userAgent)).length > 0 ? ["select_account"] : [];
}

/** Stores under a new state what the provider must return with, and returns the address there. */
export async function leadToProvider(
  ctx: Context,
  provider: IdentityProvider,
  { flow, wishes }: { flow: SignInFlow; wishes: ProviderWishes },
  { browser, chosenLocale }: StartingBrowser,
  { userAgent }: Attempt,
): Promise<StartOutcome> {
  const providerId = provider.id;
  const clean: SignInFlow = { ...withoutError(flow), foreign: undefined };
  if (provider.kind === "ldap") return { kind: "password", providerId, flow: clean };
  const counters = [counter(limits.providersFrom, networkOf(userAgent.address))];
  // Attack: a blocked network whose requests still cost discovery, or a signature for SAML.
  if ((await tally(ctx, counters)).blockedUntil !== undefined) return { kind: "too-many" };
  const start = await prepareStart(ctx, provider, { flow: clean, chosenLocale, browser: digest(browser) }, wishes);
  const isFailed = typeof start === "string";
  const blockedUntil = await countFailures(ctx, counters, isFailed ? [] : [insertOf(start.row)]);
  if (blockedUntil !== undefined) return { kind: "too-many" };
  if (!isFailed) return { kind: "redirect", url: start.url, provider: provider.name };
  noteInFlow(ctx, flow, { reason: "provider_failed", detail: `${provider.name}: discovery: ${start}`, userAgent });
  return { kind: "failed" };
}

/** What is different in each start. */
type Start = Omit<StartedAtProvider, keyof ProviderRequest | "providerId">;

/** Returns the address at the provider, or why it cannot be reached. */
export async function storeStart(
  ctx: Context,
  provider: IdentityProvider,
  start: Start,
  wishes: ProviderWishes,
): Promise<URL | string> {
  const prepared = await prepareStart(ctx, provider, start, wishes);
  if (typeof prepared === "string") return prepared;
  await storeOneTimeToken(ctx.db, prepared.row);
  return prepared.url;
}

/** Returns the address at the provider, with the row that must be stored first, or why it cannot be reached. */
async function prepareStart(
  ctx: Context,
  provider: IdentityProvider,
  start: Start,
  wishes: ProviderWishes,
): Promise<{ url: URL; row: NewOneTimeToken } | string> {
  const providerId = provider.id;
  const age = requiredAge(ctx, provider, wishes);
  const request = { state: randomSecret(), nonce: randomSecret(), codeVerifier: randomSecret(), age };
  let url: URL;
  try {
    url = await providerAddress(ctx, provider, request, wishes);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "unforeseen";
    ctx.log.info({ providerId, reason }, "identity provider cannot be reached");
    countProviderSignIn(provider.kind, "failed");
    return reason;
  }
  const started: StartedAtProvider = { ...request, ...start, providerId };
  const now = ctx.clock();
  const row = {
    digest: digest(request.state),
    purpose: "provider_sign_in" as const,
    subjectId: null,
    payload: { sealed: ctx.secrets.seal("flow", JSON.stringify(started)) },
    createdAt: now,
    expiresAt: now + FLOW_LIFETIME,
  };
  return { url, row };
}

/**
 * Returns what was started with a state in this browser, or by a login client, and whether it can still end; undefined
 * for any other state.
 */
export async function findStarted(
  ctx: Context,
  state: string,
  browser: string | undefined,
): Promise<{ started: StartedAtProvider; isOpen: boolean } | undefined> {
  if (state === "") return undefined;
  const row = await findOneTimeToken<{ sealed: string }>(ctx.db, digest(state));
  if (row?.purpose !== "provider_sign_in") return undefined;
  const opened = ctx.secrets.open("flow", row.payload.sealed);
  if (opened === undefined) return undefined;
  const started = JSON.parse(opened) as StartedAtProvider;
  if (started.browser !== undefined && (browser === undefined || started.browser !== digest(browser))) return undefined;
  return { started, isOpen: row.consumedAt === null && row.expiresAt > ctx.clock() };
}
