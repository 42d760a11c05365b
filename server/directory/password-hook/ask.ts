/**
 * Asks another system whether a password is right, for a user whose password is still there (rule HOOK-1). The answer
 * is `{"verified": true}` or `{"verified": false}` with status 200; anything else is a failure, so that an address that
 * answers every request does not open accounts. What a slow system delays is bounded: the questions of an organization
 * have a queue of their own, and no slot of the sign-ins is occupied meanwhile.
 */
import { Webhook as Signer } from "standardwebhooks";
import { createKeyedQueues, QueueFull } from "../../concurrency/queue";
import type { Context } from "../../context";
import { nameElsewhere } from "../../crypto/elsewhere";
import { newId } from "../../crypto/random";
import { countPasswordHook } from "../../metrics/instruments";
import { guardedFetch } from "../../net/guarded-fetch";
import { mayOpenAccount } from "../member/privileges";
import { callRules } from "../provider/webhook";
import type { PasswordHook } from "./password-hook";

/** Milliseconds for one question. */
const TIMEOUT = 3_000;
/** Milliseconds that a refusal takes where there is a hook: more than a question and a hash. */
export const STEADY_WITH_HOOK = TIMEOUT + 250;
/** Questions of one organization at once in one process, and how many may wait. */
const LIMIT = { atOnce: 8, waiting: 32 };
const queues = createKeyedQueues();

export interface AskedUser {
  id: string;
  loginName: string;
  email: string | null;
  passwordHash: string | null;
}

export type HookOutcome = { kind: "verified" } | { kind: "refused" } | { kind: "failed"; detail: string };

/** Never rejects. */
export async function askPasswordHook(
  ctx: Context,
  hook: PasswordHook,
  user: AskedUser,
  password: string,
): Promise<HookOutcome> {
  const outcome = await queues
    .run(hook.organizationId, LIMIT, () => ask(ctx, hook, user, password))
    .catch((error: unknown) => failed(error instanceof QueueFull ? "too many questions at once" : "unforeseen"));
  countPasswordHook(outcome.kind);
  if (outcome.kind === "failed") {
    ctx.log.info({ organizationId: hook.organizationId, reason: outcome.detail }, "a password hook failed");
    failedAt.set(hook.organizationId, ctx.clock());
  }
  return outcome;
}

/** When the hook of an organization failed last, in epoch milliseconds. */
const failedAt = new Map<string, number>();
/** Milliseconds. */
const REMEMBERED = 60_000;

/**
 * Whether a hook has failed a moment ago. All refusals of its organization then have the words of the failure, so that
 * it does not reveal whose password is elsewhere.
 */
export const hasJustFailed = (ctx: Context, { organizationId }: PasswordHook): boolean =>
  ctx.clock() - (failedAt.get(organizationId) ?? Number.NEGATIVE_INFINITY) < REMEMBERED;

const failed = (detail: string): HookOutcome => ({ kind: "failed", detail });

async function ask(ctx: Context, hook: PasswordHook, user: AskedUser, password: string): Promise<HookOutcome> {
  if (hook.signingKey === undefined) return failed("its signing key is lost: set the hook again");
  if (!(await mayOpenAccount(ctx, hook, { userId: user.id, email: user.email }))) {
    return failed("the user has more permissions than the administrator who set the hook");
  }
  const name = nameElsewhere(user.passwordHash) || user.loginName;
  const body = JSON.stringify({ loginName: name, password, userId: user.id, ...(user.email && { email: user.email }) });
  const [id, at] = [newId(), new Date(ctx.clock())];
  const headers = {
    accept: "application/json",
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Signer(hook.signingKey).sign(id, at, body),
  };
  const options = { ...callRules(ctx), resolve: ctx.resolver?.addresses, timeout: TIMEOUT };
  const outcome = await guardedFetch(hook.endpoint, { method: "POST", body, headers }, options);
  if ("error" in outcome) return failed(outcome.error);
  if (outcome.status !== 200) return failed(`it answered ${outcome.status}`);
  return readAnswer(outcome.text);
}

function readAnswer(text: string): HookOutcome {
  try {
    const { verified } = (JSON.parse(text) ?? {}) as { verified?: unknown };
    if (typeof verified === "boolean") return { kind: verified ? "verified" : "refused" };
  } catch {
    // The same as for an object without the member.
  }
  return failed("its answer has no member verified that is true or false");
}
