/**
 * Signs in with login name and password. A wrong password and an unknown user look the same and take the same time
 * (ASVS 6.3.8): the password is always verified, against a decoy if there is no user, and attempts are counted alike
 * (lockout.ts). Once the name is known, the policies of the user's own organization decide, not the app's. Whether a
 * password was correct is revealed only while attempts are left, so parallel guesses learn no more than sequential
 * ones.
 */

import type { Slot } from "../concurrency/queue";
import type { Context } from "../context";
import { verifyPassword } from "../crypto/password-hash";
import { findPolicy } from "../directory/policy/policies";
import { MAX_PASSWORD_LENGTH } from "../directory/user/password-policy";
import { findPeopleForSignIn, MAX_MATCHING_USERS, type SignInUser } from "../directory/user/user";
import { countFailedSignIn } from "../metrics/instruments";
import {
  type RefusedAttempt,
  refusedFlow,
  type SignInError,
  type SignInFlow,
  sealFlow,
  withoutError,
} from "../oidc/flow";
import type { AttemptReason } from "../protocol/sign-in-attempt";
import type { UserAgent } from "../sessions/user-agent";
import { type Counter, countFailures, forgive, limits, type Tally, tally } from "../throttle";
import { type Attempt, MAX_LOGIN_NAME_LENGTH } from "./attempt";
import { completeSignIn, type SignedIn } from "./complete-sign-in";
import { applicationOf, nameScopeOf, pagePolicyOwner } from "./continue-flow";
import { upgradeHash } from "./hash-upgrade";
import { passwordCounters } from "./lockout";
import { type MeantName, meantName } from "./meant-name";
import { noteInFlow } from "./note-attempt";
import { noteCandidates, reasonOfBlock, reasonOfRefusal } from "./refused-password";

export interface PasswordAttempt extends Attempt {
  loginName: string;
  password: string;
  /** Whether the browser has reported that its device can store a passkey. */
  canKeepPasskey?: boolean;
  /** The slot in the queue of sign-ins. */
  slot?: Slot;
}

export type SignInOutcome =
  /** Shows the page again, with the error or with the password field. */
  | { kind: "again"; flow: string; error?: SignInError }
  /** The app of the flow is gone; the flow cannot continue. */
  | { kind: "client-gone" }
  /** The session has started, or its second factor is next. */
  | ({ kind: "signed-in" } & SignedIn);

/** Checks login name and password and continues the sign-in. */
export async function signIn(ctx: Context, flow: SignInFlow, attempt: PasswordAttempt): Promise<SignInOutcome> {
  const application = await applicationOf(ctx, flow);
  if (application === "gone") return { kind: "client-gone" };
  const loginName = attempt.loginName.trim();
  const carried = { ...flow, loginName: loginName.slice(0, MAX_LOGIN_NAME_LENGTH) };
  const refuse = (last: RefusedAttempt): SignInOutcome => {
    countFailedSignIn(last.error === "throttled" ? "throttled" : "refused", "password");
    return { kind: "again", flow: sealFlow(ctx, refusedFlow(carried, last)), error: last.error };
  };
  const again = (error: Exclude<SignInError, "throttled">) => refuse({ error });
  const throttled = (retryAt: number) => refuse({ error: "throttled", retryAt });
  if (loginName === "" || attempt.password === "") {
    const page = await findPolicy(ctx, "login", await pagePolicyOwner(ctx, flow, application));
    const nameOnly = page.identifierFirst && knownLoginName(flow) === "";
    if (loginName === "") {
      return again(attempt.password === "" && !nameOnly ? "missing-login-name-and-password" : "missing-login-name");
    }
    // The page only asked for the name; the password is next, whether or not the name exists.
    return nameOnly ? { kind: "again", flow: sealFlow(ctx, withoutError(carried)) } : again("missing-password");
  }

  const plausible = loginName.length <= MAX_LOGIN_NAME_LENGTH && attempt.password.length <= MAX_PASSWORD_LENGTH;
  const scope = await nameScopeOf(ctx, flow, application);
  // If no organization matches anymore, no user does; the authorization endpoint reports it to the app.
  if (!scope) {
    noteInFlow(ctx, flow, { reason: "unknown_name", typed: loginName, userAgent: attempt.userAgent });
    return again("credentials");
  }
  const people = plausible ? await findPeopleForSignIn(ctx, loginName, scope) : [];
  const meant = await meantName(ctx, loginName, scope.organizationId);

  const candidates = await listCandidates(ctx, people, meant, attempt.userAgent);
  const open = candidates.filter(({ before }) => before.blockedUntil === undefined);
  const note = (whom: readonly Candidate[], reasonOf: (one: Candidate) => AttemptReason) =>
    noteCandidates(ctx, flow, { candidates: whom, reasonOf, typed: loginName, userAgent: attempt.userAgent });
  if (open.length === 0) {
    note(candidates, ({ before }) => reasonOfBlock(before));
    return throttled(soonest(candidates));
  }
  const owner = await findPasswordOwner(plausible ? attempt.password : "", open, attempt.slot);
  const user = owner?.person;
  const policyOwner = user ? user.organizationId : (people[0]?.organizationId ?? meant.organizationId);
  const { allowUsernamePassword } = await findPolicy(ctx, "login", policyOwner);
  if (!owner || !user?.mayAuthenticate || !allowUsernamePassword) {
    const counters = [...new Map(open.flatMap(({ counters }) => counters).map((one) => [one.id, one])).values()];
    const blockedUntil = await countFailures(ctx, counters);
    const refused = owner ? [owner] : open;
    note(refused, ({ person }) =>
      blockedUntil === undefined ? reasonOfRefusal(person, allowUsernamePassword) : "throttled",
    );
    return blockedUntil === undefined ? again("credentials") : throttled(blockedUntil);
  }
  const after = await tally(ctx, owner.counters);
  if (after.blockedUntil !== undefined) {
    note([owner], () => reasonOfBlock(after));
    return throttled(after.blockedUntil);
  }
  // NIST SP 800-63B §3.2.2 counts consecutive failures, so success resets them; but not a network's attempts with other
  // names.
  await forgive(
    ctx,
    after.counted.filter(({ limit }) => limit.name !== limits.passwordsFrom.name),
  );

  await upgradeHash(ctx, user, attempt.password);
  const { userAgent, requestId, canKeepPasskey } = attempt;
  const proven = { user, amr: ["pwd"], userAgent, requestId, canKeepPasskey };
  return { kind: "signed-in", ...(await completeSignIn(ctx, flow, proven)) };
}

/** A user that the typed name can mean, or none, and the number of wrong guesses. */
interface Candidate {
  person: SignInUser | undefined;
  counters: Counter[];
  before: Tally;
}

/**
 * Returns the users that the name can mean. Each is counted and blocked separately, so that wrong passwords for one do
 * not lock out another with the same name.
 */
function listCandidates(
  ctx: Context,
  people: readonly SignInUser[],
  meant: MeantName,
  userAgent: UserAgent,
): Promise<Candidate[]> {
  const whom = people.length > 0 ? people : [undefined];
  return Promise.all(
    whom.map(async (person) => {
      const counters = await passwordCounters(ctx, meant, person, userAgent);
      return { person, counters, before: await tally(ctx, counters) };
    }),
  );
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
  slot: Slot | undefined,
): Promise<Candidate | undefined> {
  for (let index = 0; index < MAX_MATCHING_USERS; index++) {
    const candidate = candidates[index];
    const person = candidate?.person;
    const queued = { organizationId: person?.organizationId, slot };
    if ((await verifyPassword(password, person?.passwordHash, queued)) && candidate) return candidate;
  }
  return undefined;
}

/** Returns the login name so far: as typed, else the application's hint; empty if there is neither. */
export function knownLoginName({ loginName, request }: SignInFlow): string {
  return (loginName ?? request?.loginHint ?? "").trim();
}
