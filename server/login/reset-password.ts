/**
 * Sets a new password with a mailed link or code. It works once, even with concurrent attempts, and is void if a newer
 * one was sent or the address has changed since. All sessions end, the failures that locked the account are reset, and
 * the user is not signed in, so the following sign-in still requires a second factor (OWASP Forgot Password). Only a
 * user who sets the first password of an account stays signed in: they have just typed it.
 */
import type { Context } from "../context";
import { hashPassword } from "../crypto/password-hash";
import { changeDirectory } from "../directory/change";
import {
  type MailedCodeProblem,
  type OpenedMailedCode,
  openMailedCode,
  type Proof,
} from "../directory/mailed-code/open";
import { findPolicy } from "../directory/policy/policies";
import { checkChosenPassword, type PasswordProblem } from "../directory/user/password-policy";
import { isForPerson, type OwnNames, redeemResetCode } from "../directory/user/redeem-reset";
import { resetWrongPasswords } from "../directory/user/reset-wrong-passwords";
import { findUser, type SignInUser } from "../directory/user/user";
import type { SignInFlow } from "../oidc/flow";
import type { UserAgent } from "../sessions/user-agent";
import type { OneTimeTokenRow } from "../storage/user/one-time-tokens";
import { readUser } from "../storage/user/user";
import { type Attempt, ownOrigin } from "./attempt";
import { completeSignIn, type SignedIn } from "./complete-sign-in";
import type { ResetPayload } from "./forgot-password";
import { flowOfLink, mailboxIn } from "./requesting-browser";
import { findLandingUrl } from "./start-app";
import { problemsOfNames, type TypedNames } from "./typed-names";

export interface ResetAttempt extends Attempt {
  proof: Proof;
  /**
   * For a code: the organization that the typed name would belong to, whose password policy is checked before the code.
   */
  organizationId: string | undefined;
  password: string;
  /** The names of an invited user; undefined if the form did not ask. */
  names?: TypedNames;
}

export type ResetOutcome =
  /** Nothing was used up. */
  | { kind: "password-refused"; problem: PasswordProblem }
  | { kind: "names-refused"; problems: ReturnType<typeof problemsOfNames> }
  | { kind: "code-refused"; reason: MailedCodeProblem }
  | { kind: "dead"; usedAt?: number }
  /** The flow continues on the sign-in page, if this browser started it. */
  | { kind: "done"; flow: SignInFlow }
  /** The account has its first password. */
  | ({ kind: "signed-in" } & SignedIn);

/** The user of a link. */
export interface ResetLink {
  user: SignInUser;
  row: OneTimeTokenRow<ResetPayload>;
  loginName: string;
  organizationId: string;
  flow: SignInFlow;
  /** Epoch milliseconds. */
  expiresAt: number;
  /** Whether the user was invited and has no password yet. */
  isFirst: boolean;
}

/** Returns the link, or when the link was used. */
export async function whoseResetLink(
  ctx: Context,
  token: string,
  userAgent: UserAgent,
): Promise<ResetLink | { usedAt: number | undefined }> {
  const opened = await openResetCode(ctx, { token });
  if (opened.kind === "open") {
    const user = await ownerOf(ctx, opened.row);
    const { expiresAt, payload } = opened.row;
    if (user) {
      const { loginName, organizationId } = user;
      const isFirst = isFirstPassword(user, payload);
      const flow = await landing(ctx, flowOfLink(ctx, payload, organizationId, userAgent), user, isFirst);
      return { user, row: opened.row, loginName, organizationId, flow, expiresAt, isFirst };
    }
  }
  return { usedAt: opened.kind === "used" ? opened.at : undefined };
}

/** Sets the password if the proof is valid; see above. */
export async function resetPassword(ctx: Context, attempt: ResetAttempt): Promise<ResetOutcome> {
  const { proof, password, userAgent, requestId } = attempt;
  // First the checks that need no account: a rejected password must neither reveal whether there is one nor use up an
  // attempt.
  if ("mailed" in proof) {
    const policy = await findPolicy(ctx, "password", attempt.organizationId);
    const problem = checkChosenPassword(password, policy, [proof.mailed.to]);
    if (problem) return { kind: "password-refused", problem };
  }
  if ("code" in proof && proof.code.trim() === "") return { kind: "code-refused", reason: "missing" };

  const opened = await openResetCode(ctx, proof);
  if (opened.kind === "wrong" || opened.kind === "blocked") return { kind: "code-refused", reason: opened.kind };
  if (opened.kind !== "open" && "code" in proof) return { kind: "code-refused", reason: opened.kind };
  if (opened.kind === "used") return { kind: "dead", usedAt: opened.at };
  if (opened.kind === "expired") return { kind: "dead" };
  const { payload } = opened.row;
  const user = await ownerOf(ctx, opened.row);
  if (!user) return { kind: "dead" };
  const policy = await findPolicy(ctx, "password", user.organizationId);
  const personal = checkChosenPassword(password, policy, [user.loginName, user.firstName, user.lastName]);
  if (personal) return { kind: "password-refused", problem: personal };

  const isFirst = isFirstPassword(user, payload);
  const typed = isFirst ? attempt.names : undefined;
  const problems = typed ? problemsOfNames(typed) : {};
  if (Object.keys(problems).length > 0) return { kind: "names-refused", problems };
  const names = typed && ownNames(typed);

  const newHash = await hashPassword(password);
  const changed = await changeDirectory({ ...ctx, origin: ownOrigin(user, attempt) }, async (ctx) => {
    const stored = await readUser(ctx.tx, user.id);
    return stored && redeemResetCode(ctx, stored, opened.row, { newHash, names });
  });
  if (!changed) return { kind: "dead", usedAt: ctx.clock() };
  await resetWrongPasswords(ctx, user.id);
  const on = await landing(ctx, flowOfLink(ctx, payload, user.organizationId, userAgent), user, isFirst);
  const mailboxOf = mailboxIn(userAgent, user.organizationId);
  const flow = { ...on, startedAt: ctx.clock(), loginName: user.loginName, mailboxOf };
  if (!isFirst) return { kind: "done", flow };
  return { kind: "signed-in", ...(await completeSignIn(ctx, flow, { user, amr: ["pwd"], userAgent, requestId })) };
}

/** Returns the names as they are stored. */
export const ownNames = ({ givenName, familyName }: TypedNames): OwnNames => ({
  firstName: givenName.trim(),
  lastName: familyName.trim(),
});

/**
 * Lets an invited user land in the app whose role they were given, else where the login policy says; others, and
 * without either, in their account.
 */
async function landing(ctx: Context, flow: SignInFlow, user: SignInUser, isFirst: boolean): Promise<SignInFlow> {
  if (!isFirst || flow.page !== "account" || flow.at !== undefined) return flow;
  const { defaultRedirectUri } = await findPolicy(ctx, "login", user.organizationId);
  return { ...flow, landsAt: (await findLandingUrl(ctx, user.id)) ?? (defaultRedirectUri || undefined) };
}

async function openResetCode(ctx: Context, proof: Proof): Promise<OpenedMailedCode<ResetPayload>> {
  const opened = await openMailedCode<ResetPayload>(ctx, proof);
  const foreign = "row" in opened && opened.row.purpose !== "password_reset";
  return foreign ? { kind: "expired" } : opened;
}

const isFirstPassword = ({ passwordHash }: SignInUser, { invitation }: ResetPayload): boolean =>
  invitation !== undefined && passwordHash === null;

/** Returns the user, if the mailed address is still theirs. */
async function ownerOf(
  ctx: Context,
  { subjectId, payload }: OneTimeTokenRow<ResetPayload>,
): Promise<SignInUser | undefined> {
  const user = subjectId === null ? undefined : await findUser(ctx, subjectId);
  return user && isForPerson(payload, user) ? user : undefined;
}
