/**
 * The second factor of a sign-in. Attempts are counted before they are checked, so that parallel ones count too: ten
 * per sign-in, and ten per account and kind of code (attack: brute force of six digits, ZITADEL CVE-2025-64102). No
 * code is accepted twice. The checks of each factor are in its own file; table.ts lists them.
 */
import type { Context } from "../../context";
import type { CodeProblem } from "../../directory/mailed-code/open";
import { findPolicy } from "../../directory/policy/policies";
import { findUser } from "../../directory/user/user";
import { countFailedSignIn } from "../../metrics/instruments";
import { type SignInFlow, sealFlow } from "../../oidc/flow";
import { pendingOf } from "../../oidc/pending-sign-in";
import { type FactorWay, isPermittedWay, type SecondFactorType } from "../../protocol/second-factor";
import type { UserAgent } from "../../sessions/user-agent";
import { listPasskeys } from "../../storage/factor/passkeys";
import { listFactors } from "../../storage/factor/second-factors";
import { counter, countFailures, limits, resetCounters } from "../../throttle";
import { completeSignIn, type SignedIn } from "../complete-sign-in";
import { freeAttempts } from "../lockout";
import { noteInFlow } from "../note-attempt";
import type { AwaitedPerson, CodeAttempt, Enrolled, SendAttempt } from "./factor";
import { FACTORS, findChannel, findCodeFactor } from "./table";

/**
 * Returns the awaited user; undefined if the flow's first factor is not proven, too old, or another browser's: the
 * sign-in then starts over.
 */
export async function awaitedPerson(
  ctx: Context,
  flow: SignInFlow,
  userAgent: UserAgent,
): Promise<AwaitedPerson | undefined> {
  const pending = pendingOf(ctx, flow, userAgent);
  const user = pending && (await findUser(ctx, pending.userId));
  // A password change or a sign-out everywhere also invalidates a sign-in in progress.
  if (!pending || !user?.mayAuthenticate || pending.at < user.validFrom) return undefined;
  const [passkeys, factors] = await Promise.all([listPasskeys(ctx.db, user.id), listFactors(ctx.db, user.id)]);
  const isProtected = passkeys.length + factors.length > 0;
  const kinds = new Set(factors.map(({ kind }) => kind));
  const ways = isProtected ? await waysOf(ctx, { user, kinds, hasPasskeys: passkeys.length > 0 }) : [];
  return { pending, user, isProtected, ways };
}

async function waysOf(ctx: Context, enrolled: Enrolled): Promise<FactorWay[]> {
  const ways: FactorWay[] = [];
  for (const { way, isReady } of FACTORS) if (await isReady(ctx, enrolled)) ways.push(way);
  const { secondFactors } = await findPolicy(ctx, "login", enrolled.user.organizationId);
  return permittedWays(ways, secondFactors);
}

/**
 * Returns the permitted factors. A factor that is no longer permitted is requested only while the user has no other:
 * withdrawing it must neither open an account, because the password would be enough to set up another factor, nor lock
 * users out.
 */
function permittedWays(ways: FactorWay[], permitted: readonly SecondFactorType[]): FactorWay[] {
  const left = ways.filter((way) => isPermittedWay(permitted, way));
  return left.some((way) => way !== "recovery") ? left : ways;
}

export type CodeOutcome =
  | { kind: "restart" }
  | { kind: "refused"; reason: CodeProblem }
  | ({ kind: "signed-in" } & SignedIn);

/** Checks the code and signs the user in. */
export async function checkSecondFactor(ctx: Context, flow: SignInFlow, attempt: CodeAttempt): Promise<CodeOutcome> {
  const { way, code, userAgent, requestId } = attempt;
  const person = await awaitedPerson(ctx, flow, userAgent);
  const factor = findCodeFactor(way);
  if (!factor || !person?.ways.includes(way)) return { kind: "restart" };
  if (code.trim() === "") return { kind: "refused", reason: "missing" };
  const { user, pending } = person;
  const blockAt = await freeAttempts(ctx, "maxOtpAttempts", user.organizationId);
  const counters = [counter(factor.tries, pending.id), counter({ ...limits.factorsOf, blockAt }, user.id, way)];
  if ((await countFailures(ctx, counters)) !== undefined) {
    countFailedSignIn("throttled", "code");
    noteInFlow(ctx, flow, { reason: "factor_throttled", person: user, detail: way, userAgent });
    return { kind: "refused", reason: "blocked" };
  }
  const checked = await factor.check(ctx, person, attempt);
  if (checked !== true) {
    countFailedSignIn("refused", "code");
    const reason = checked === "expired" ? "code_expired" : "factor_failed";
    noteInFlow(ctx, flow, { reason, person: user, detail: way, userAgent });
    return { kind: "refused", reason: "wrong" };
  }
  await resetCounters(ctx, counters);
  const amr = withFactors(pending.amr, factor.amr);
  return { kind: "signed-in", ...(await completeSignIn(ctx, flow, { user, amr, userAgent, requestId })) };
}

export type SendOutcome = { kind: "restart" } | { kind: "too-many" } | { kind: "sent"; flow: string };

/** Sends a code for this sign-in, if the user can get codes this way. */
export async function sendFactorCode(
  ctx: Context,
  flow: SignInFlow,
  attempt: SendAttempt & { way: FactorWay },
): Promise<SendOutcome> {
  const person = await awaitedPerson(ctx, flow, attempt.userAgent);
  const channel = findChannel(attempt.way);
  if (!channel || !person?.ways.includes(channel.kind)) return { kind: "restart" };
  const mailed = await channel.send(ctx, person, attempt);
  if (mailed === "too-many") return { kind: "too-many" };
  return { kind: "sent", flow: sealFlow(ctx, { ...flow, pending: { ...person.pending, mailed } }) };
}

/** Returns the RFC 8176 §2 values proven before and now, and `mfa`. */
export function withFactors(before: readonly string[], now: readonly string[]): string[] {
  return [...new Set([...before, ...now, "mfa"])];
}
