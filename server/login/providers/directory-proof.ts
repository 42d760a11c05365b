/**
 * Proves an account in an LDAP directory by login name and password. Wrong passwords are counted and blocked by the
 * rules of our own (lockout.ts), against the entry that the name means, so that this gives no more guesses at a
 * directory's passwords than at ours, however the name is written.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import type { IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { findInstance } from "../../directory/instance";
import { comparableLoginName } from "../../directory/names";
import { MAX_PASSWORD_LENGTH } from "../../directory/user/password-policy";
import { countFailedSignIn, countProviderSignIn } from "../../metrics/instruments";
import { type RefusedAttempt, refusedFlow, type SignInFlow } from "../../oidc/flow";
import type { DirectorySettings } from "../../protocol/identity-provider";
import type { AttemptReason } from "../../protocol/sign-in-attempt";
import { type Tally, tally } from "../../throttle";
import { type Attempt, MAX_LOGIN_NAME_LENGTH } from "../attempt";
import { countCorrectPassword, countWrongPassword, guessCounters } from "../lockout";
import { noteInFlow } from "../note-attempt";
import { reasonOfBlock } from "../refused-password";
import { type AskedDirectory, askDirectory } from "./directory";
import { identityOf } from "./identity";
import type { ExchangeOutcome } from "./outcome";

export interface DirectoryPassword extends Attempt {
  loginName: string;
  password: string;
}

/** Checks login name and password at a directory, and counts wrong ones. `again`: refused, as the flow says. */
export async function proveAtDirectory(
  ctx: Context,
  { flow, provider }: { flow: SignInFlow; provider: IdentityProvider & { settings: DirectorySettings } },
  attempt: DirectoryPassword,
): Promise<Exclude<ExchangeOutcome, { kind: "denied" }> | { kind: "again"; flow: SignInFlow }> {
  const { loginName, password, userAgent } = attempt;
  const named: SignInFlow = { ...flow, loginName: loginName.slice(0, MAX_LOGIN_NAME_LENGTH) };
  const refuse = (last: RefusedAttempt, noted?: { reason: AttemptReason; detail?: string }) => {
    countFailedSignIn(last.error === "throttled" ? "throttled" : "refused", "password");
    if (noted) {
      countProviderSignIn(provider.kind, "denied");
      const detail = [provider.name, noted.detail].filter(Boolean).join(": ");
      noteInFlow(ctx, flow, { reason: noted.reason, detail, typed: loginName, userAgent });
    }
    return { kind: "again", flow: refusedFlow(named, last) } as const;
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
  const fail = (detail: string) => {
    ctx.log.info({ providerId: provider.id, reason: detail }, "a directory did not answer as expected");
    return { kind: "failed", detail } as const;
  };
  if (outcome.kind !== "user") return fail(outcome.kind === "failed" ? outcome.detail : "connect: no answer");
  const after = await countCorrectPassword(ctx, counted);
  if (after.blockedUntil !== undefined) return blocked({ before: after });
  const claims = { preferred_username: loginName, ...outcome.user.claims };
  const identity = identityOf(provider, claims);
  const passed = ["connect", "service_bind", "search", "entry", "bind"];
  return identity ? { kind: "identity", identity, claims, passed } : fail("entry: it has no usable id");
}

/** Returns how the guesses at a name or an entry of the directory are counted. */
function guessesAt(ctx: Context, { id, ownerId }: AskedDirectory, { userAgent }: Pick<Attempt, "userAgent">) {
  return async (whom: readonly [kind: "typed" | "entry", text: string]) => {
    const isOfService = ownerId === (await findInstance(ctx)).id;
    const subject = digest(JSON.stringify(["directory", id, ...whom]));
    const counters = await guessCounters(ctx, subject, isOfService ? undefined : ownerId, userAgent);
    return { person: undefined, counters, before: await tally(ctx, counters) };
  };
}
