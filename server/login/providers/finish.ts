/**
 * Ends a sign-in at an identity provider: which user the proven account belongs to. A linked user signs in, with a
 * second factor of ours where the policy says so. Otherwise an account is linked without asking only if its
 * organization has proven the domain of its verified address or login name; else the user proves an existing account by
 * signing in to it, or creates one. An address that the provider has not verified, or that is not verified here, never
 * connects accounts (attack: account pre-hijacking, an account that a stranger made for the address).
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { findStoredProvider, type IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { linkIdentityIn } from "../../directory/identity-provider/links";
import { mayBeSignedInBy } from "../../directory/identity-provider/signs-in";
import { comparableLoginName, withParents } from "../../directory/names";
import { findUser, findUserForSignIn, type SignInUser } from "../../directory/user/user";
import { inTransaction } from "../../events/record";
import { countProviderSignIn } from "../../metrics/instruments";
import { refusedFlow, type SignInError, type SignInFlow, sealFlow } from "../../oidc/flow";
import type { ForeignIdentity } from "../../oidc/proven";
import { isApiError } from "../../protocol/api-error";
import { FEDERATED } from "../../protocol/authentication-context";
import type { AttemptReason } from "../../protocol/sign-in-attempt";
import { findIdentityLink } from "../../storage/identity-provider/links";
import { storeProviderSignIn } from "../../storage/identity-provider/provider-sessions";
import { findVerifiedOwner } from "../../storage/organization/organization";
import { type Attempt, ownOrigin } from "../attempt";
import { completeSignIn, type SignedIn } from "../complete-sign-in";
import { applicationOf, organizationOfFlow } from "../continue-flow";
import { noteInFlow } from "../note-attempt";
import { createForeignAccount, organizationOfNew } from "../registration/foreign-account";
import { recognizableToken } from "../requesting-browser";
import { spendState } from "./code-binding";
import { redeemResponse } from "./exchange";
import type { ProvenIdentity } from "./identity";
import { endIntent } from "./intent";
import { finishLinking, type LinkResult } from "./link";
import { applyMappedRoles } from "./mapped-roles";
import { passedChecks } from "./outcome";
import { newProviderSession } from "./sign-out";
import { findStarted } from "./start";
import { updateByProvider } from "./update";

export type FinishOutcome =
  /** Started in another browser, or never. */
  | { kind: "unknown" }
  | { kind: "client-gone" }
  /** Back to the login client. */
  | { kind: "intent"; url: URL }
  /** Shows the sign-in page, with the reason if there is one. */
  | { kind: "sign-in"; flow: string; chosenLocale: string | undefined }
  /** Shows the form of a new account, filled in. The browser is identified by this token from now on. */
  | { kind: "ask"; screen: "login" | "create-account"; flow: string; userAgentToken: string; chosenLocale?: string }
  /** Shows the account page from which an account was to be linked; "again": the response was used before. */
  | { kind: "linking"; sessionId: string; result: LinkResult | "again" | SignInError; chosenLocale: string | undefined }
  | ({ kind: "signed-in"; flow: SignInFlow; chosenLocale: string | undefined } & SignedIn);

/** @param browser the value of the cookie of the browser that got the response */
export async function finishAtProvider(
  ctx: Context,
  parameters: URLSearchParams,
  browser: string | undefined,
  attempt: Attempt,
): Promise<FinishOutcome> {
  const state = parameters.get("state") ?? "";
  const found = await findStarted(ctx, state, browser);
  if (!found) return { kind: "unknown" };
  const { started, isOpen } = found;
  const { flow, chosenLocale } = started;
  // Sent again by the back button or a reload: the flow continues, and the response counts for nothing.
  const again = (over: SignInFlow) => shownAgain(ctx, { flow: over, chosenLocale });
  const isFirst = isOpen && (await spendState(ctx, state, parameters.get("code")));
  if (!isFirst) return started.intent ? { kind: "unknown" } : again(flow);
  const provider = await findStoredProvider(ctx, started.providerId);
  if (started.intent)
    return { kind: "intent", url: await endIntent(ctx, started, started.intent, provider, parameters) };
  if (!provider?.isActive) return again(refusedFlow(flow, { error: "provider-refused" }));
  const at = { flow, chosenLocale, provider };
  const outcome = await redeemResponse(ctx, provider, parameters, started);
  if (outcome.kind === "denied") return refuseAtProvider(ctx, at, { ...DENIED, detail: outcome.error }, attempt);
  if (outcome.kind === "identity") {
    return finishWithIdentity(ctx, { ...at, passed: outcome.passed }, outcome.identity, attempt);
  }
  ctx.log.info({ providerId: provider.id, reason: outcome.detail }, "response of an identity provider refused");
  return refuseAtProvider(ctx, at, { ...FAILED, detail: outcome.detail }, attempt);
}

/** A sign-in at a provider that is about to end. */
export interface EndingAtProvider {
  flow: SignInFlow;
  chosenLocale: string | undefined;
  provider: IdentityProvider;
  /** The only user who may be signed in; undefined: any. */
  onlyUserId?: string;
  /** The checks of its response, for the sign-in attempt. */
  passed?: readonly string[];
}

export interface ProviderRefusal {
  error: Exclude<SignInError, "throttled">;
  reason: AttemptReason;
  /** For administrators, beside the name of the provider. */
  detail?: string;
  person?: SignInUser;
}

const DENIED = { error: "provider-denied", reason: "provider_denied" } as const;
const FAILED = { error: "provider-failed", reason: "provider_failed" } as const;

/** Counts and records why the sign-in was refused, and shows the sign-in page with the error. */
export function refuseAtProvider(
  ctx: Context,
  { flow, chosenLocale, provider }: EndingAtProvider,
  { error, reason, detail, person }: ProviderRefusal,
  { userAgent }: Attempt,
): FinishOutcome {
  const outcome = error === "provider-denied" ? "denied" : error === "provider-failed" ? "failed" : "refused";
  countProviderSignIn(provider.kind, outcome);
  const named = detail === undefined ? provider.name : `${provider.name}: ${detail}`;
  noteInFlow(ctx, flow, { reason, detail: named, person, userAgent });
  return shownAgain(ctx, { flow: refusedFlow(flow, { error }), chosenLocale });
}

/** Shows the page that led to the provider again. */
const shownAgain = (
  ctx: Context,
  { flow, chosenLocale }: Pick<EndingAtProvider, "flow" | "chosenLocale">,
): FinishOutcome => {
  const { linkTo, error = "again" } = flow;
  return linkTo
    ? { kind: "linking", sessionId: linkTo.sessionId, result: error, chosenLocale }
    : { kind: "sign-in", flow: sealFlow(ctx, flow), chosenLocale };
};

/** Signs in the user of a proven identity, creates or links an account, or asks; whatever protocol has proven it. */
export async function finishWithIdentity(
  ctx: Context,
  at: EndingAtProvider,
  identity: ProvenIdentity,
  attempt: Attempt,
): Promise<FinishOutcome> {
  const { flow, chosenLocale, provider, onlyUserId } = at;
  if (flow.linkTo) {
    const result = await finishLinking(ctx, provider, flow.linkTo, identity, attempt);
    return { kind: "linking", sessionId: flow.linkTo.sessionId, result, chosenLocale };
  }
  const application = await applicationOf(ctx, flow);
  if (application === "gone") return { kind: "client-gone" };
  const home = await organizationOfFlow(ctx, flow, application);
  const refuse = (reason: AttemptReason, person?: SignInUser) =>
    refuseAtProvider(ctx, at, { error: "provider-refused", reason, person }, attempt);
  const providerSession = newProviderSession(ctx, provider, identity);
  const signIn = async (user: SignInUser, how: "signed_in" | "linked" | "created"): Promise<FinishOutcome> => {
    const isOther = onlyUserId !== undefined && user.id !== onlyUserId;
    const refusal = isOther ? "provider_unknown_user" : await whyRefused(ctx, provider, user);
    if (refusal) return refuse(refusal, user);
    countProviderSignIn(provider.kind, how);
    const isTrusted = provider.options.isSecondFactorTrusted && identity.amr.includes("mfa");
    const amr = isTrusted ? [FEDERATED, "mfa"] : [FEDERATED];
    const mapped = await applyMappedRoles(ctx, provider, identity, user);
    const detail = [provider.name, mapped].filter(Boolean).join(": ") + passedChecks(at.passed ?? []);
    const signedIn = await completeSignIn(ctx, flow, { ...attempt, user, amr, detail, providerSession });
    return { kind: "signed-in", flow, chosenLocale, ...signedIn };
  };

  const link = await findIdentityLink(ctx.db, provider.id, identity.externalId);
  const linked = link && (await findUser(ctx, link.userId));
  if (link && linked) {
    if (linked.mayAuthenticate) await updateByProvider(ctx, provider, link, linked, identity);
    return signIn(linked, "signed_in");
  }
  const match = await findMatch(ctx, provider, identity, home);
  if (onlyUserId !== undefined && match?.user.id !== onlyUserId) return refuse("provider_unknown_user");
  if (match?.isOwned && (await linkMatch(ctx, provider, identity, match.user, attempt))) {
    return signIn(match.user, "linked");
  }
  const { isLinkingAllowed, isAutoCreation } = provider.options;
  const newIn = await organizationOfNew(ctx, flow, provider, home);
  if (newIn !== undefined && isAutoCreation && !match) {
    const created = await createForeignAccount(ctx, provider, identity, newIn, attempt);
    if (created) return signIn(created, "created");
  }
  if (newIn === undefined && !isLinkingAllowed) return refuse("provider_unknown_user");
  countProviderSignIn(provider.kind, "asked");
  const userAgentToken = recognizableToken(attempt.userAgent);
  const { amr: _, grants: __, atProvider: ___, ...known } = identity;
  const proof = await storeProviderSignIn(ctx.db, providerSession);
  const foreign: ForeignIdentity = { ...known, providerSession: proof, browser: digest(userAgentToken) };
  const screen = newIn !== undefined && !(match && isLinkingAllowed) ? "create-account" : "login";
  return { kind: "ask", screen, flow: sealFlow(ctx, { ...flow, foreign }), userAgentToken, chosenLocale };
}

/** Returns why a user may not sign in by a provider; the policies of the user's own organization decide. */
async function whyRefused(
  ctx: Context,
  provider: IdentityProvider,
  user: SignInUser,
): Promise<AttemptReason | undefined> {
  if (user.organizationState !== "active") return "organization_inactive";
  if (!user.mayAuthenticate) return user.state === "locked" ? "user_locked" : "user_inactive";
  return (await mayBeSignedInBy(ctx, provider, user)) ? undefined : "provider_unknown_user";
}

/**
 * Returns the existing account that an identity matches, and whether it may be linked without asking: its organization
 * owns the domain, and its own address is verified.
 */
async function findMatch(
  ctx: Context,
  provider: IdentityProvider,
  identity: ProvenIdentity,
  home: string | undefined,
): Promise<{ user: SignInUser; isOwned: boolean } | undefined> {
  const { autoLinking, isLinkingAllowed } = provider.options;
  const byName = autoLinking === "AUTO_LINKING_OPTION_USERNAME";
  const name = byName ? identity.userName : identity.isEmailVerified ? identity.email : undefined;
  if (name === undefined) return undefined;
  const user = await findUserForSignIn(ctx, name, { preferred: home });
  if (!user) return undefined;
  const key = comparableLoginName(name);
  const domain = key.includes("@") ? key.slice(key.lastIndexOf("@") + 1) : undefined;
  const owner = domain === undefined ? undefined : await findVerifiedOwner(ctx.db, withParents(domain));
  const isSame = byName
    ? comparableLoginName(user.loginName) === key
    : Boolean(user.isEmailVerified) && user.email !== null && comparableLoginName(user.email) === key;
  const isAuto = isLinkingAllowed && autoLinking !== "AUTO_LINKING_OPTION_UNSPECIFIED";
  const isOwned = isAuto && isSame && owner === user.organizationId && user.mayAuthenticate;
  const found = { user, isOwned: isOwned && (await whyRefused(ctx, provider, user)) === undefined };
  // A name that the provider made up must not reveal who has an account here.
  return byName && !found.isOwned ? undefined : found;
}

/** Links the account that matches; false if it was linked meanwhile. */
async function linkMatch(
  ctx: Context,
  provider: IdentityProvider,
  { externalId, userName }: ProvenIdentity,
  user: SignInUser,
  attempt: Attempt,
): Promise<boolean> {
  const link = { providerId: provider.id, externalId, userName, providerName: provider.name };
  const done = await inTransaction({ ...ctx, origin: ownOrigin(user, attempt) }, (ctx) =>
    linkIdentityIn(ctx, user, link),
  );
  return !isApiError(done);
}
