/**
 * Single logout with SAML providers (SAML 2.0 Profiles §4.4): ours goes to the provider after the sessions here have
 * ended, and the provider's ends the sessions here that its own session began. Messages go by the browser. A request of
 * a provider ends only sessions that began at this provider, so that it never signs out users of another (rules
 * SIGNOUT-6 and SIGNOUT-7).
 */
import { setTimeout } from "node:timers/promises";
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { randomSecret } from "../../crypto/random";
import { findStoredProvider, type IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { samlKeysOf, samlServiceOf, signingKeyOf } from "../../directory/identity-provider/saml-keys";
import { findSamlMetadata, verifyByProviderKeys } from "../../directory/identity-provider/saml-metadata";
import { findInstance } from "../../directory/instance";
import { noteAttempt } from "../../directory/sign-in-attempt/note";
import { asSystem } from "../../events/record";
import { countProviderSignOut } from "../../metrics/instruments";
import { FLOW_LIFETIME } from "../../oidc/flow";
import { frontChannelLogouts } from "../../oidc/front-channel";
import type { SignedOutAfter } from "../../oidc/sign-out-flow";
import {
  postMessage,
  type ReceivedSaml,
  redirectMessage,
  relayStateOf,
  type SamlMessage,
} from "../../protocol/saml/bindings";
import {
  logoutRequestXml,
  logoutResponseXml,
  type SamlLogoutName,
  type SamlLogoutRequest,
  verifyLogoutRequest,
  verifyLogoutResponse,
} from "../../protocol/saml/logout";
import type { SamlProvider } from "../../protocol/saml/provider-metadata";
import { signOut } from "../../sessions/session";
import { consumeAssertion } from "../../storage/grant/assertions";
import { findSessionsAtProvider } from "../../storage/identity-provider/provider-sessions";
import { findOneTimeToken, spendOneTimeToken, storeOneTimeToken } from "../../storage/user/one-time-tokens";
import { type Attempt, causeOf } from "../attempt";
import { failureLine } from "./outcome";
import { type SamlForm, samlBindingOf, samlFormAddress } from "./saml";

/** How long a sign-out waits for the metadata of a provider, in milliseconds. */
const WAIT = 2_000;
/** Characters of a RelayState that is sent back; the standard has 80. */
const MAX_RELAY_STATE = 2_000;

/** What is kept of a message to a provider, under its RelayState or the state of our form. */
interface KeptLogout {
  providerId: string;
  /** What follows the response; undefined if none is awaited. */
  after?: SignedOutAfter;
  form?: SamlForm;
}

async function keep(ctx: Context, state: string, kept: KeptLogout): Promise<void> {
  const createdAt = ctx.clock();
  const payload = { sealed: ctx.secrets.seal("flow", JSON.stringify(kept)) };
  const times = { createdAt, expiresAt: createdAt + FLOW_LIFETIME };
  await storeOneTimeToken(ctx.db, { digest: digest(state), purpose: PURPOSE, subjectId: null, payload, ...times });
}

const PURPOSE = "provider_sign_out";

async function findKept(ctx: Context, providerId: string, state: string): Promise<KeptLogout | undefined> {
  const row = await findOneTimeToken<{ sealed: string }>(ctx.db, digest(state));
  const isOpen = row?.purpose === PURPOSE && row.consumedAt === null && row.expiresAt > ctx.clock();
  const opened = isOpen ? ctx.secrets.open("flow", row.payload.sealed) : undefined;
  const kept = opened === undefined ? undefined : (JSON.parse(opened) as KeptLogout);
  return kept?.providerId === providerId ? kept : undefined;
}

/** Returns the form with a message of single logout that was kept for a page of ours. */
export const keptLogoutForm = async (ctx: Context, providerId: string, state: string): Promise<SamlForm | undefined> =>
  (await findKept(ctx, providerId, state))?.form;

/** Returns the addresses of the provider; undefined if it has none, or its metadata cannot be read in time. */
async function logoutOf(ctx: Context, provider: IdentityProvider): Promise<SamlProvider["logout"] | undefined> {
  const found = findSamlMetadata(ctx, provider).then(
    ({ logout }) => logout,
    () => undefined,
  );
  return Promise.race([found, setTimeout(WAIT, undefined, { ref: false })]);
}

/** Signs a message, and keeps its form where the browser has to post it. @returns the address to which it goes */
async function sentTo(
  ctx: Context,
  provider: IdentityProvider,
  { isPost, ...message }: SamlMessage & { isPost: boolean },
  { state, after }: { state: string; after?: SignedOutAfter },
): Promise<string> {
  const privateKey = signingKeyOf(ctx, provider)?.privateKey;
  if (privateKey === undefined) throw new Error("there is no key for SAML");
  const kept = { providerId: provider.id, after };
  if (!isPost) {
    if (after) await keep(ctx, state, kept);
    return redirectMessage(message, privateKey).href;
  }
  const form = {
    provider: provider.name,
    redirectUri: message.destination,
    fields: postMessage(message, privateKey),
  };
  await keep(ctx, state, { ...kept, form });
  return samlFormAddress(ctx, provider, state).href;
}

/**
 * Returns the address with a request to end the session at the provider; undefined if it takes none.
 * @param hint the name of the user and the session there
 */
export async function samlLogoutAddress(
  ctx: Context,
  provider: IdentityProvider,
  hint: string,
  after: SignedOutAfter,
): Promise<string | undefined> {
  const { redirect, post } = (await logoutOf(ctx, provider)) ?? {};
  const binding = samlBindingOf(ctx, provider, { redirectUrl: redirect?.requests, postUrl: post?.requests });
  if (!binding || typeof provider.secret !== "string") return undefined;
  const state = randomSecret();
  const { entityId } = samlServiceOf(ctx.config, provider.id);
  const own = { id: requestIdOf(state), issuedAt: ctx.clock(), destination: binding.destination, entityId };
  const xml = logoutRequestXml(own, JSON.parse(hint) as SamlLogoutName);
  return sentTo(ctx, provider, { name: "SAMLRequest", xml, relayState: state, ...binding }, { state, after });
}

const requestIdOf = (state: string): string => `_${state}`;

export type SamlLogoutOutcome =
  /** The provider does not exist, or the response is not awaited. */
  | { kind: "unknown" }
  /** `isLate`: it came too late, or a second time. */
  | { kind: "refused"; isLate: boolean }
  /** Our sessions have ended. `next`: the address with the response; undefined if the provider takes none. */
  | { kind: "ended"; next: string | undefined; frames: string[] }
  /** The provider has answered. */
  | { kind: "answered"; after: SignedOutAfter };

/** Handles a message of single logout that a browser brings from a provider. */
export async function receiveSamlLogout(
  ctx: Context,
  providerId: string,
  message: ReceivedSaml,
  attempt: Attempt,
): Promise<SamlLogoutOutcome> {
  const provider = await findStoredProvider(ctx, providerId);
  if (provider?.kind !== "saml") return { kind: "unknown" };
  return message.isResponse ? receiveResponse(ctx, provider, message) : receiveRequest(ctx, provider, message, attempt);
}

const expectedBy = (ctx: Context, provider: IdentityProvider, metadata: SamlProvider) => ({
  sloUrl: samlServiceOf(ctx.config, provider.id).sloUrl,
  provider: metadata,
  decryptionKeys: typeof provider.secret === "string" ? samlKeysOf(provider).map((key) => key.privateKey) : [],
  now: ctx.clock(),
});

/** Nothing depends on a response, as the sessions here have ended: one that fails is only counted. */
async function receiveResponse(
  ctx: Context,
  provider: IdentityProvider,
  message: ReceivedSaml,
): Promise<SamlLogoutOutcome> {
  const state = relayStateOf(message) ?? "";
  const kept = await findKept(ctx, provider.id, state);
  if (!kept?.after || !(await spendOneTimeToken(ctx.db, digest(state), PURPOSE, ctx.clock()))) {
    return { kind: "unknown" };
  }
  let hasFailed = true;
  const verify = (metadata: SamlProvider) =>
    verifyLogoutResponse(message, { ...expectedBy(ctx, provider, metadata), requestId: requestIdOf(state) });
  try {
    await verifyByProviderKeys(ctx, provider, verify, () => hasFailed);
    hasFailed = false;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unforeseen";
    ctx.log.info({ providerId: provider.id, reason }, "logout response of an identity provider refused");
  }
  countProviderSignOut(provider.kind, hasFailed ? "unconfirmed" : "confirmed");
  return { kind: "answered", after: kept.after };
}

async function receiveRequest(
  ctx: Context,
  provider: IdentityProvider,
  message: ReceivedSaml,
  attempt: Attempt,
): Promise<SamlLogoutOutcome> {
  let checks: string[] = [];
  let request: SamlLogoutRequest;
  try {
    request = await verifyByProviderKeys(
      ctx,
      provider,
      (metadata) => {
        checks = [];
        return verifyLogoutRequest(message, expectedBy(ctx, provider, metadata), (check) => checks.push(check));
      },
      () => checks.at(-1) === "signature",
    );
    checks.push("replay");
    const used = digest(`saml logout ${provider.id} ${request.id}`);
    if (!(await consumeAssertion(ctx.db, used, request.expiresAt))) throw new Error("it was used before");
  } catch (error) {
    const why = error instanceof Error ? error.message : "unforeseen";
    const check = checks.at(-1) ?? "message";
    await noteRefusal(ctx, provider, failureLine(check, checks.slice(0, -1), why), attempt);
    return { kind: "refused", isLate: check === "time" || check === "replay" };
  }
  return endSessions(ctx, provider, message, request, attempt);
}

async function endSessions(
  ctx: Context,
  provider: IdentityProvider,
  message: ReceivedSaml,
  { id, nameId: subject, sessionIndexes }: SamlLogoutRequest,
  attempt: Attempt,
): Promise<SamlLogoutOutcome> {
  const named = sessionIndexes.length === 0 ? [undefined] : sessionIndexes;
  const found = await Promise.all(
    named.map((sid) => findSessionsAtProvider(ctx.db, { providerId: provider.id, sid, subject })),
  );
  const sessions = [...new Map(found.flat().map((session) => [session.id, session])).values()];
  const frames = await frontChannelLogouts(ctx, sessions);
  for (const session of sessions) {
    await signOut(asSystem(ctx, causeOf(attempt)), session, "none", provider.id);
  }
  countProviderSignOut(provider.kind, "received");
  return { kind: "ended", frames, next: await responseAddress(ctx, provider, message, id) };
}

async function responseAddress(
  ctx: Context,
  provider: IdentityProvider,
  message: ReceivedSaml,
  requestId: string,
): Promise<string | undefined> {
  const { redirect, post } = (await logoutOf(ctx, provider)) ?? {};
  const binding = samlBindingOf(ctx, provider, { redirectUrl: redirect?.responses, postUrl: post?.responses });
  if (!binding || typeof provider.secret !== "string") return undefined;
  const given = relayStateOf(message);
  const relayState = given !== undefined && given.length > MAX_RELAY_STATE ? undefined : given;
  const { entityId } = samlServiceOf(ctx.config, provider.id);
  const state = randomSecret();
  const own = { id: `_${randomSecret()}`, issuedAt: ctx.clock(), destination: binding.destination, entityId };
  const xml = logoutResponseXml(own, requestId);
  return sentTo(ctx, provider, { name: "SAMLResponse", xml, relayState, ...binding }, { state });
}

/** Records a refusal among the sign-in attempts of the provider's owner. */
async function noteRefusal(
  ctx: Context,
  provider: IdentityProvider,
  failure: string,
  { userAgent }: Attempt,
): Promise<void> {
  const { id: providerId, kind, name, ownerId } = provider;
  const detail = `sign-out ${failure}`;
  countProviderSignOut(kind, "refused");
  ctx.log.info({ providerId, reason: detail }, "logout request of an identity provider refused");
  const owner = ownerId === (await findInstance(ctx)).id ? undefined : ownerId;
  const organizations = async () => ({ organizationId: owner, flowOrganizationId: owner });
  noteAttempt(ctx, { reason: "provider_failed", detail: `${name}: ${detail}`, userAgent, organizations });
}
