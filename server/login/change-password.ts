/**
 * Changes the password, voluntarily or because it is required. The current one is required: an unlocked device must not
 * be enough to take an account over (ASVS 6.2.3). The current session continues with a new token; the others end if the
 * user requests that.
 */
import type { Context } from "../context";
import { hashPassword } from "../crypto/password-hash";
import { findPolicy } from "../directory/policy/policies";
import { type CurrentPasswordProblem, checkCurrentPassword } from "../directory/user/current-password";
import { changePassword as writePassword } from "../directory/user/password";
import { checkChosenPassword, type PasswordProblem } from "../directory/user/password-policy";
import { findUser, type SignInUser } from "../directory/user/user";
import type { Cause } from "../events/record";
import { type SignInFlow, withoutTraces } from "../oidc/flow";
import { authenticate } from "../sessions/session";
import type { SessionRow } from "../storage/session/session";
import { type Attempt, causeOf } from "./attempt";
import { sessionOfFlow } from "./continue-flow";
import { clientIdOfFlow } from "./note-attempt";

export interface ChangePasswordAttempt extends Attempt {
  currentPassword: string;
  password: string;
  signOutElsewhere: boolean;
}

export interface ChangePasswordProblems extends Partial<CurrentPasswordProblem> {
  password?: "missing" | "same" | PasswordProblem;
}

export type ChangePasswordOutcome =
  | { kind: "nobody" }
  | { kind: "refused"; problems: ChangePasswordProblems }
  /** The flow continues in the new session. */
  | { kind: "changed"; userAgentToken: string; authenticated: SignInFlow };

export async function changePasswordInFlow(
  ctx: Context,
  flow: SignInFlow,
  attempt: ChangePasswordAttempt,
): Promise<ChangePasswordOutcome> {
  const { currentPassword, password, userAgent, requestId } = attempt;
  const session = await sessionOfFlow(ctx, flow, userAgent);
  const user = session && (await findUser(ctx, session.userId));
  if (!session || !user?.mayAuthenticate) return { kind: "nobody" };

  const form = { currentPassword, password, keepSessions: !attempt.signOutElsewhere };
  const problems = await changeOwnPassword(ctx, { session, user }, form, causeOf(attempt));
  if (problems) return { kind: "refused", problems };

  // A new authentication, so that this session survives the change; other factors remain proven.
  const { sessionId, userAgentToken } = await authenticate(ctx, userAgent, user, session.amr.split(" "), {
    requestId,
    clientId: clientIdOfFlow(flow),
  });
  return {
    kind: "changed",
    userAgentToken,
    authenticated: { ...withoutTraces(flow), authenticatedSessionId: sessionId },
  };
}

/**
 * Changes the password of a signed-in user who knows the current one.
 * @returns the problem; undefined if the password was changed
 */
export async function changeOwnPassword(
  ctx: Context,
  { session, user }: { session: Pick<SessionRow, "id">; user: SignInUser },
  { currentPassword, password, keepSessions }: { currentPassword: string; password: string; keepSessions: boolean },
  cause: Cause,
): Promise<ChangePasswordProblems | undefined> {
  const policy = await findPolicy(ctx, "password", user.organizationId);
  const names = [user.loginName, user.email, user.firstName, user.lastName];
  const weakness = password === "" ? "missing" : checkChosenPassword(password, policy, names);
  const problems: ChangePasswordProblems = {
    ...(currentPassword === "" && { currentPassword: "missing" as const }),
    ...(weakness ? { password: weakness } : password === currentPassword ? { password: "same" as const } : {}),
  };
  if (Object.keys(problems).length > 0) return problems;
  const refusal = await checkCurrentPassword(ctx, { session, user }, currentPassword);
  if (refusal) return refusal;
  const newHash = await hashPassword(password);
  await writePassword({ ...ctx, origin: { actor: user.id, ...cause } }, { userId: user.id, newHash, keepSessions });
  return undefined;
}
