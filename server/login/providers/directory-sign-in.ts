/**
 * Signs in with login name and password of an LDAP directory. Wrong passwords are counted and blocked by the rules of
 * our own (lockout.ts), against the entry that the name means, so that our page gives no more guesses at a directory's
 * passwords than at ours, however the name is written. What follows a right password is the same as at other providers.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { findStoredProvider, type IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { findInstance } from "../../directory/instance";
import { comparableLoginName } from "../../directory/names";
import { MAX_PASSWORD_LENGTH } from "../../directory/user/password-policy";
import { countFailedSignIn, countProviderSignIn } from "../../metrics/instruments";
import { type RefusedAttempt, refusedFlow, type SignInFlow } from "../../oidc/flow";
import type { DirectorySettings } from "../../protocol/identity-provider";
import type { AttemptReason } from "../../protocol/sign-in-attempt";
import { type Tally, tally } from "../../throttle";
import { type Attempt, MAX_LOGIN_NAME_LENGTH } from "../attempt";
import { applicationOf } from "../continue-flow";
import { countCorrectPassword, countWrongPassword, guessCounters } from "../lockout";
import { noteInFlow } from "../note-attempt";
import { reasonOfBlock } from "../refused-password";
import { refusedInSteadyTime } from "../steady-time";
import { type AskedDirectory, askDirectory } from "./directory";
import { type FinishOutcome, finishWithIdentity, refuseAtProvider } from "./finish";
import { identityOf } from "./identity";
import { listFlowProviders } from "./start";

export interface DirectoryAttempt extends Attempt {
  loginName: string;
  password: string;
  chosenLocale: string | undefined;
}

export type DirectorySignInOutcome =
  | FinishOutcome
  /** Shows the page again. */
  | { kind: "again"; providerId: string; flow: SignInFlow }
  /** The directory is not offered here any more. */
  | { kind: "gone" };

/** Returns the directory whose page this is, if it is offered in this flow. */
export async function findOfferedDirectory(
  ctx: Context,
  flow: SignInFlow,
  providerId: string,
): Promise<(IdentityProvider & { settings: DirectorySettings }) | undefined> {
  const application = await applicationOf(ctx, flow);
  if (application === "gone") return undefined;
  const found = flow.linkTo // started by a user who may link it (link.ts)
    ? await findStoredProvider(ctx, providerId)
    : (await listFlowProviders(ctx, flow, application)).find(({ id }) => id === providerId);
  if (!found?.isActive) return undefined;
  return found.kind === "ldap" ? (found as IdentityProvider & { settings: DirectorySettings }) : undefined;
}

/** Signs in; a rejected attempt takes a fixed time. */
export function signInAtDirectory(
  ctx: Context,
  flow: SignInFlow,
  providerId: string,
  attempt: DirectoryAttempt,
): Promise<DirectorySignInOutcome> {
  const isRefused = ({ kind }: DirectorySignInOutcome) => kind === "again";
  const trimmed = { ...attempt, loginName: attempt.loginName.trim() };
  return refusedInSteadyTime(ctx, isRefused, () => signInNow(ctx, flow, providerId, trimmed));
}

async function signInNow(
  ctx: Context,
  flow: SignInFlow,
  providerId: string,
  attempt: DirectoryAttempt,
): Promise<DirectorySignInOutcome> {
  const provider = await findOfferedDirectory(ctx, flow, providerId);
  if (!provider) return { kind: "gone" };
  const { loginName, password, chosenLocale, userAgent } = attempt;
  const named: SignInFlow = { ...flow, loginName: loginName.slice(0, MAX_LOGIN_NAME_LENGTH) };
  const refuse = (last: RefusedAttempt, noted?: { reason: AttemptReason; detail?: string }): DirectorySignInOutcome => {
    countFailedSignIn(last.error === "throttled" ? "throttled" : "refused", "password");
    if (noted) {
      countProviderSignIn(provider.kind, "denied");
      const detail = [provider.name, noted.detail].filter(Boolean).join(": ");
      noteInFlow(ctx, flow, { reason: noted.reason, detail, typed: loginName, userAgent });
    }
    return { kind: "again", providerId, flow: refusedFlow(named, last) };
  };
  if (loginName === "") {
    return refuse({ error: password === "" ? "missing-login-name-and-password" : "missing-login-name" });
  }
  if (password === "") return refuse({ error: "missing-password" });

  const guesses = guessesAt(ctx, provider, attempt);
  const typed = await guesses(["typed", comparableLoginName(named.loginName ?? "")]);
  const blocked = ({ before }: { before: Tally }) =>
    refuse({ error: "throttled", retryAt: before.blockedUntil }, { reason: reasonOfBlock(before) });
  if (typed.before.blockedUntil !== undefined) return blocked(typed);
  const isPossible = loginName.length <= MAX_LOGIN_NAME_LENGTH && password.length <= MAX_PASSWORD_LENGTH;
  if (!isPossible) return refuse({ error: "credentials" }, { reason: "unknown_name" });

  let counted = typed;
  const outcome = await askDirectory(ctx, provider, {
    ...{ loginName, password },
    async mayBind({ dn }) {
      counted = await guesses(["entry", dn.toLowerCase()]);
      return counted.before.blockedUntil === undefined;
    },
  });
  if (outcome.kind === "blocked") return blocked(counted);
  if (outcome.kind === "busy") return refuse({ error: "busy" }, { reason: "busy" });
  if (outcome.kind === "refused") {
    const retryAt = await countWrongPassword(ctx, [counted]);
    const { detail } = outcome;
    if (retryAt !== undefined) return refuse({ error: "throttled", retryAt }, { reason: "throttled", detail });
    const reason = outcome.step === "search" ? "unknown_name" : "wrong_password";
    return refuse({ error: "credentials" }, { reason, detail });
  }
  const at = { flow: named, chosenLocale, provider };
  const fail = (detail: string) => {
    ctx.log.info({ providerId, reason: detail }, "a directory did not answer as expected");
    return refuseAtProvider(ctx, at, { error: "provider-failed", reason: "provider_failed", detail }, attempt);
  };
  if (outcome.kind !== "user") return fail(outcome.kind === "failed" ? outcome.detail : "connect: no answer");
  const after = await countCorrectPassword(ctx, counted);
  if (after.blockedUntil !== undefined) return blocked({ before: after });
  const identity = identityOf(provider, { preferred_username: loginName, ...outcome.user.claims });
  return identity ? finishWithIdentity(ctx, at, identity, attempt) : fail("entry: it has no usable id");
}

/** Returns how the guesses at a name or an entry of the directory are counted. */
function guessesAt(ctx: Context, { id, ownerId }: AskedDirectory, { userAgent }: Attempt) {
  return async (whom: readonly [kind: "typed" | "entry", text: string]) => {
    const isOfService = ownerId === (await findInstance(ctx)).id;
    const subject = digest(JSON.stringify(["directory", id, ...whom]));
    const counters = await guessCounters(ctx, subject, isOfService ? undefined : ownerId, userAgent);
    return { person: undefined, counters, before: await tally(ctx, counters) };
  };
}
