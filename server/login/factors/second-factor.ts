/**
 * The second factor of a sign-in: a code from an authenticator app, a recovery code, a mailed code. Attempts are
 * counted before they are checked, so that parallel ones count too: ten per sign-in, and ten per account and kind of
 * code (attack: brute force of six digits, ZITADEL CVE-2025-64102). No code is accepted twice.
 */
import type { Context } from "../../context";
import { matchTotp } from "../../crypto/one-time-password";
import { useRecoveryCode } from "../../directory/user/recovery-codes";
import { findUser, type SignInUser } from "../../directory/user/user";
import { countFailedSignIn } from "../../metrics/instruments";
import type { PendingSignIn, SignInFlow } from "../../oidc/flow";
import { pendingOf } from "../../oidc/pending-sign-in";
import type { UserAgent } from "../../sessions/user-agent";
import { listPasskeys, type PasskeyRow } from "../../storage/passkeys";
import { type FactorRow, listFactors, listRecoveryCodes, takeStep } from "../../storage/second-factors";
import { counter, countFailures, forgive, limits } from "../../throttle";
import type { Attempt } from "../attempt";
import { completeSignIn, type SignedIn } from "../complete-sign-in";
import type { CodeProblem } from "../mailed-code";

/** In the order in which they are offered. */
export type FactorWay = "passkey" | "totp" | "email" | "recovery";

/** Somebody whose second factor is awaited. */
export interface AwaitedPerson {
  pending: PendingSignIn;
  user: SignInUser;
  /** Whether a second factor is set up. */
  isProtected: boolean;
  /** What the person can use. */
  ways: FactorWay[];
}

/** Undefined if the flow's first factor is not proven, too old, or another browser's: the sign-in starts over. */
export async function awaitedPerson(
  ctx: Context,
  flow: SignInFlow,
  userAgent: UserAgent,
): Promise<AwaitedPerson | undefined> {
  const pending = pendingOf(ctx, flow, userAgent);
  const user = pending && (await findUser(ctx, pending.userId));
  // A password change or a sign-out everywhere also voids a sign-in in progress.
  if (!pending || !user?.mayAuthenticate || pending.at < user.validFrom) return undefined;
  const [passkeys, factors] = await Promise.all([listPasskeys(ctx.db, user.id), listFactors(ctx.db, user.id)]);
  const isProtected = passkeys.length + factors.length > 0;
  return { pending, user, isProtected, ways: isProtected ? await waysOf(ctx, user, passkeys, factors) : [] };
}

async function waysOf(
  ctx: Context,
  user: SignInUser,
  passkeys: readonly PasskeyRow[],
  factors: readonly FactorRow[],
): Promise<FactorWay[]> {
  const has = (kind: string) => factors.some((factor) => factor.kind === kind);
  const ways: FactorWay[] = [];
  if (passkeys.length > 0) ways.push("passkey");
  if (has("totp")) ways.push("totp");
  if (has("email") && user.isEmailVerified && user.email !== null) ways.push("email");
  if ((await listRecoveryCodes(ctx.db, user.id)).length > 0) ways.push("recovery");
  return ways;
}

export interface CodeAttempt extends Attempt {
  way: Exclude<FactorWay, "passkey">;
  code: string;
}

export type CodeOutcome =
  | { kind: "restart" }
  | { kind: "refused"; reason: CodeProblem }
  | ({ kind: "signed-in" } & SignedIn);

/** Checks a code and consumes it in one step. */
export type CodeCheck = (ctx: Context, person: AwaitedPerson, attempt: CodeAttempt) => Promise<boolean>;

/** Checks the code and signs the person in. */
export async function checkSecondFactor(
  ctx: Context,
  flow: SignInFlow,
  attempt: CodeAttempt,
  checks: Readonly<Record<CodeAttempt["way"], CodeCheck>>,
): Promise<CodeOutcome> {
  const { way, code, userAgent, requestId } = attempt;
  const person = await awaitedPerson(ctx, flow, userAgent);
  if (!person?.ways.includes(way)) return { kind: "restart" };
  if (code.trim() === "") return { kind: "refused", reason: "missing" };
  const { user, pending } = person;
  const counters = [counter(limits.factor, pending.id), counter(limits.factorsOf, user.id, way)];
  if ((await countFailures(ctx, counters)) !== undefined) {
    countFailedSignIn("throttled", "code");
    return { kind: "refused", reason: "blocked" };
  }
  if (!(await checks[way](ctx, person, attempt))) {
    countFailedSignIn("refused", "code");
    return { kind: "refused", reason: "wrong" };
  }
  await forgive(ctx, counters);
  const amr = withFactors(pending.amr, ["otp"]);
  return { kind: "signed-in", ...(await completeSignIn(ctx, flow, { user, amr, userAgent, requestId })) };
}

/** RFC 8176 §2: the values proven before and now, and `mfa`. */
export function withFactors(before: readonly string[], now: readonly string[]): string[] {
  return [...new Set([...before, ...now, "mfa"])];
}

/** A code from any of the person's apps, at most one time step early or late. */
export const checkAppCode: CodeCheck = async (ctx, { user }, { code }) => {
  const now = ctx.clock();
  for (const { id, sealedSecret } of await listFactors(ctx.db, user.id)) {
    const secret = sealedSecret === null ? undefined : ctx.secrets.open("second-factor", sealedSecret);
    const step = secret === undefined ? undefined : matchTotp(secret, code, now);
    // RFC 6238 §5.2: "MUST NOT accept the second attempt of the OTP after the successful validation".
    if (step !== undefined && (await takeStep(ctx.db, id, step, now))) return true;
  }
  return false;
};

export const checkRecoveryCode: CodeCheck = (ctx, { user }, { code, requestId }) =>
  useRecoveryCode(ctx, user, code, { actor: user.id, requestId });
