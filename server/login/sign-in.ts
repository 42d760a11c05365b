/**
 * Signs in with login name and password, one step after the other: identify, throttle, verify, decide, session,
 * continue. A wrong password and an unknown user look the same and take the same time (ASVS 6.3.8): the password is
 * always verified, against a decoy if there is no user, and attempts are counted alike (lockout.ts). Once the name is
 * known, the policies of the user's own organization decide, not the app's. Whether a password was correct is revealed
 * only while attempts are left, so parallel guesses learn no more than sequential ones.
 */

import type { Slot } from "../concurrency/queue";
import type { Context } from "../context";
import { nameElsewhere } from "../crypto/elsewhere";
import { PasswordQueueFull, queuePasswordSignIn, verifyPassword } from "../crypto/password-hash";
import { askPasswordHook, type HookOutcome, hasJustFailed, STEADY_WITH_HOOK } from "../directory/password-hook/ask";
import { findPasswordHook, type PasswordHook } from "../directory/password-hook/password-hook";
import { findPolicy } from "../directory/policy/policies";
import { MAX_PASSWORD_LENGTH } from "../directory/user/password-policy";
import { MAX_MATCHING_USERS, type SignInUser } from "../directory/user/user";
import { countFailedSignIn } from "../metrics/instruments";
import {
  type RefusedAttempt,
  refusedFlow,
  type SignInError,
  type SignInFlow,
  sealFlow,
  withoutError,
} from "../oidc/flow";
import type { Client } from "../protocol/client";
import type { AttemptReason } from "../protocol/sign-in-attempt";
import { networkOf } from "../throttle";
import { type Attempt, MAX_LOGIN_NAME_LENGTH } from "./attempt";
import { completeSignIn, type SignedIn } from "./complete-sign-in";
import { applicationOf, pagePolicyOwner } from "./continue-flow";
import { upgradeHash } from "./hash-upgrade";
import { type Identified, identify } from "./identify";
import { type Candidate, countCorrectPassword, countWrongPassword, listCandidates } from "./lockout";
import { noteInFlow } from "./note-attempt";
import { noteCandidates, reasonOfBlock, reasonOfRefusal } from "./refused-password";
import { refusedInSteadyTime, STEADY_REFUSAL } from "./steady-time";

export interface PasswordAttempt extends Attempt {
  loginName: string;
  password: string;
  /** The only user who may sign in, if it is known who does. */
  userId?: string;
  /** Whether the browser has reported that its device can store a passkey. */
  canKeepPasskey?: boolean;
  /** Aborts when the client has disconnected. */
  signal?: AbortSignal;
}

export type SignInOutcome =
  /** Shows the page again, with the error or with the password field. */
  | PageAgain
  /** The app of the flow is gone; the flow cannot continue. */
  | { kind: "client-gone" }
  /** The session has started, or its second factor is next. */
  | ({ kind: "signed-in" } & SignedIn);

interface PageAgain {
  kind: "again";
  flow: string;
  error?: SignInError;
  /** Whether the organization has a password hook, which takes its time. */
  hasHook?: boolean;
}

/** Signs in when it is the turn of this attempt. A rejected one takes a fixed time. */
export async function signIn(ctx: Context, flow: SignInFlow, attempt: PasswordAttempt): Promise<SignInOutcome> {
  const { userAgent, signal } = attempt;
  const network = networkOf(userAgent.address);
  const trimmed = { ...attempt, loginName: attempt.loginName.trim() };
  try {
    return await refusedInSteadyTime(
      ctx,
      isRefused,
      () => queuePasswordSignIn((slot) => signInNow(ctx, flow, trimmed, slot), signal, network),
      (outcome) => ("hasHook" in outcome && outcome.hasHook ? STEADY_WITH_HOOK : STEADY_REFUSAL),
    );
  } catch (error) {
    if (!(error instanceof PasswordQueueFull)) throw error;
    noteInFlow(ctx, flow, { reason: "busy", typed: attempt.loginName, userAgent });
    return again(ctx, withName(flow, attempt), { error: "busy" });
  }
}

const isRefused = (outcome: SignInOutcome): boolean =>
  outcome.kind === "again" && (outcome.error === "credentials" || outcome.error === "unavailable");

const withName = (flow: SignInFlow, { loginName }: PasswordAttempt): SignInFlow => ({
  ...flow,
  loginName: loginName.slice(0, MAX_LOGIN_NAME_LENGTH),
});

const again = (ctx: Context, flow: SignInFlow, last: RefusedAttempt): PageAgain => ({
  kind: "again",
  flow: sealFlow(ctx, refusedFlow(flow, last)),
  error: last.error,
});

async function signInNow(ctx: Context, flow: SignInFlow, attempt: PasswordAttempt, slot: Slot): Promise<SignInOutcome> {
  const application = await applicationOf(ctx, flow);
  if (application === "gone") return { kind: "client-gone" };
  const refuse = (last: RefusedAttempt): PageAgain => {
    countFailedSignIn(last.error === "throttled" ? "throttled" : "refused", "password");
    return again(ctx, withName(flow, attempt), last);
  };

  const { loginName, password, userId, userAgent, requestId, canKeepPasskey } = attempt;
  if (loginName === "" || password === "") {
    const missing = await missingField(ctx, flow, application, attempt);
    if (missing) return refuse({ error: missing });
    return { kind: "again", flow: sealFlow(ctx, withoutError(withName(flow, attempt))) };
  }
  const isPossible = loginName.length <= MAX_LOGIN_NAME_LENGTH && password.length <= MAX_PASSWORD_LENGTH;

  const identified = await identify(ctx, flow, application, { loginName, isPossible, userId });
  if (!identified) {
    // No user can sign in; the authorization endpoint reports it to the app.
    noteInFlow(ctx, flow, { reason: "unknown_name", typed: loginName, userAgent });
    return refuse({ error: "credentials" });
  }
  const candidates = await listCandidates(ctx, identified, userAgent);
  const note: Note = (some, reasonOf, detail) =>
    noteCandidates(ctx, flow, { candidates: some, reasonOf, detail, typed: loginName, userAgent });
  const open = candidates.filter(({ before }) => before.blockedUntil === undefined);
  if (open.length === 0) {
    note(candidates, ({ before }) => reasonOfBlock(before));
    return refuse({ error: "throttled", retryAt: soonest(candidates) });
  }
  const local = await findPasswordOwner(isPossible ? password : "", open, slot);
  const [{ organizationId } = identified.name] = identified.users;
  const hook = organizationId === undefined ? undefined : await findPasswordHook(ctx, organizationId);
  const refuseInTime = (last: RefusedAttempt) => ({ ...refuse(last), hasHook: hook !== undefined });
  const asked =
    hook && isPossible && !local ? await askElsewhere(ctx, hook, { candidates, password, slot }) : undefined;
  if (asked?.kind === "failed") {
    note(open, () => "password_hook_failed", asked.detail);
    return refuseInTime({ error: "unavailable" });
  }
  const user = await decide(ctx, identified, { open, owner: asked?.kind === "verified" ? open[0] : local, note });
  if ("error" in user) {
    const isUnclear = hook && user.error === "credentials" && hasJustFailed(ctx, hook);
    return refuseInTime(isUnclear ? { error: "unavailable" } : user);
  }

  await upgradeHash(ctx, user, password);
  const proven = { user, amr: ["pwd"], userAgent, requestId, canKeepPasskey };
  return { kind: "signed-in", ...(await completeSignIn(ctx, flow, proven)) };
}

/**
 * Returns the error of a form without name or password; undefined if the page only asked for the name. The password is
 * next then, whether or not the name exists.
 */
async function missingField(
  ctx: Context,
  flow: SignInFlow,
  application: Client | undefined,
  { loginName, password }: PasswordAttempt,
): Promise<Exclude<SignInError, "throttled"> | undefined> {
  const { identifierFirst } = await findPolicy(ctx, "login", await pagePolicyOwner(ctx, flow, application));
  const nameOnly = identifierFirst && knownLoginName(flow) === "";
  if (loginName !== "") return nameOnly ? undefined : "missing-password";
  return password === "" && !nameOnly ? "missing-login-name-and-password" : "missing-login-name";
}

/** Returns when the first of them may be tried again, in epoch milliseconds. */
const soonest = (candidates: readonly Candidate[]): number =>
  Math.min(...candidates.map(({ before }) => before.blockedUntil ?? Number.POSITIVE_INFINITY));

/**
 * Returns the first user with the password. Every rejected attempt computes the maximum number of hashes, so that the
 * time does not reveal the number of users.
 */
async function findPasswordOwner(
  password: string,
  candidates: readonly Candidate[],
  slot: Slot,
): Promise<Candidate | undefined> {
  for (let index = 0; index < MAX_MATCHING_USERS; index++) {
    const candidate = candidates[index];
    const person = candidate?.person;
    const queueing = { organizationId: person?.organizationId, slot };
    if ((await verifyPassword(password, person?.passwordHash, queueing)) && candidate) return candidate;
  }
  return undefined;
}

/**
 * Asks the hook of the user's organization if the password is elsewhere. With several users of the same name, no one is
 * asked, as another organization would get the password. The slot of the sign-in is released before.
 */
async function askElsewhere(
  ctx: Context,
  hook: PasswordHook,
  { candidates, password, slot }: { candidates: readonly Candidate[]; password: string; slot: Slot },
): Promise<HookOutcome | undefined> {
  const [{ person } = {}, second] = candidates;
  if (second || !person?.mayAuthenticate || nameElsewhere(person.passwordHash) === undefined) return undefined;
  if (!(await findPolicy(ctx, "login", person.organizationId)).allowUsernamePassword) return undefined;
  slot.release();
  return askPasswordHook(ctx, hook, person, password);
}

/** Records the reason for candidates. */
type Note = (candidates: readonly Candidate[], reasonOf: (one: Candidate) => AttemptReason, detail?: string) => void;

/** Returns the user to sign in, or why the attempt is rejected, and counts it. */
async function decide(
  ctx: Context,
  { users, name }: Identified,
  { open, owner, note }: { open: readonly Candidate[]; owner: Candidate | undefined; note: Note },
): Promise<SignInUser | RefusedAttempt> {
  const user = owner?.person;
  const policyOwner = user ? user.organizationId : (users[0]?.organizationId ?? name.organizationId);
  const { allowUsernamePassword } = await findPolicy(ctx, "login", policyOwner);
  if (!owner || !user?.mayAuthenticate || !allowUsernamePassword) {
    const retryAt = await countWrongPassword(ctx, open);
    note(owner ? [owner] : open, ({ person }) =>
      retryAt === undefined ? reasonOfRefusal(person, allowUsernamePassword) : "throttled",
    );
    return retryAt === undefined ? { error: "credentials" } : { error: "throttled", retryAt };
  }
  const after = await countCorrectPassword(ctx, owner);
  if (after.blockedUntil === undefined) return user;
  note([owner], () => reasonOfBlock(after));
  return { error: "throttled", retryAt: after.blockedUntil };
}

/** Returns the login name so far: as typed, else the application's hint; empty if there is neither. */
export function knownLoginName({ loginName, request }: SignInFlow): string {
  return (loginName ?? request?.loginHint ?? "").trim();
}
