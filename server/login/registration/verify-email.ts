/**
 * Verifies the address of a new account, which creates it. By code, only in the flow that requested it; by link, in the
 * browser of the form, or in any other with the password chosen there. A link alone is not enough: otherwise the owner
 * of an address could be tricked into verifying an account whose password a stranger knows (account pre-hijacking).
 * Opening a link consumes nothing, because mail scanners open links too.
 */
import type { Context } from "../../context";
import { verifyPassword } from "../../crypto/password-hash";
import { changeDirectory } from "../../directory/change";
import { findStoredProvider } from "../../directory/identity-provider/identity-provider";
import { linkIdentityIn } from "../../directory/identity-provider/links";
import { type CodeProblem, type MailedCodeProblem, openMailedCode, type Proof } from "../../directory/mailed-code/open";
import { comparableLoginName } from "../../directory/names";
import { provesMailbox } from "../../directory/user/email-trust";
import { claimIdentity } from "../../directory/user/login-name";
import { MAX_PASSWORD_LENGTH } from "../../directory/user/password-policy";
import { addPerson, findUser } from "../../directory/user/user";
import type { Cause } from "../../events/record";
import { countProviderSignIn } from "../../metrics/instruments";
import { type MailedFlow, type SignInFlow, sealFlow, withoutProgress } from "../../oidc/flow";
import { forMemberOf } from "../../oidc/named-organization";
import type { ResendNote } from "../../oidc/proven";
import { isApiError } from "../../protocol/api-error";
import { FEDERATED } from "../../protocol/authentication-context";
import { listCurrentSessions } from "../../sessions/session";
import type { UserAgent } from "../../sessions/user-agent";
import { isUniqueViolation } from "../../storage/engine/violations";
import { readOrganization } from "../../storage/organization/organization";
import {
  consumeOneTimeToken,
  deleteOneTimeToken,
  findOneTimeToken,
  type OneTimeTokenRow,
} from "../../storage/user/one-time-tokens";
import { counter, countFailures, limits, networkOf, tally } from "../../throttle";
import { remindOfAccount } from "../account/contact";
import { type Attempt, causeOf } from "../attempt";
import { completeSignIn, type SignedIn } from "../complete-sign-in";
import { continueFlow } from "../continue-flow";
import { RESEND_AFTER, type ResetPayload, sendResetCode } from "../forgot-password";
import { flowOfLink, isBrowser, mailboxIn } from "../requesting-browser";
import { inSteadyTime } from "../steady-time";
import { type RegistrationPayload, sendRegistrationCode } from "./create-account";

type Registration = OneTimeTokenRow<RegistrationPayload>;

export type VerifyEmailOutcome =
  | { kind: "code-refused"; reason: MailedCodeProblem }
  | { kind: "password-refused"; reason: CodeProblem }
  | { kind: "dead"; usedAt?: number }
  /** The address already had an account: its owner, who has read the mail, chooses a new password. */
  | { kind: "reset-password"; flow: string }
  /** An account with that unverified address exists: sign in. */
  | { kind: "sign-in"; flow: string }
  /**
   * Verified without a sign-in: on a device other than the form's, which keeps the request, or verified before, by a
   * form that was sent twice or by the link.
   */
  | { kind: "confirmed"; flow: SignInFlow }
  | ({ kind: "signed-in" } & SignedIn);

/**
 * Verifies with the code, in the flow that requested it.
 * @param asked the mail of the flow, in any browser: a sign-in has given this browser another token than it asked with
 */
export async function verifyRegistrationEmail(
  ctx: Context,
  flow: SignInFlow,
  code: string,
  attempt: Attempt,
  asked: MailedFlow | undefined,
): Promise<VerifyEmailOutcome> {
  const { mailed } = flow;
  if (!mailed) return (asked && (await goOnSignedIn(ctx, flow, asked, attempt))) ?? { kind: "dead" };
  if (code.trim() === "") return { kind: "code-refused", reason: "missing" };
  const opened = await openMailedCode<RegistrationPayload>(ctx, { mailed, code });
  if (!("row" in opened)) return { kind: "code-refused", reason: opened.kind };
  if (opened.row.purpose === "password_reset") {
    const { subjectId } = opened.row;
    const owner = subjectId === null ? undefined : await findUser(ctx, subjectId);
    const mailboxOf = owner && mailboxIn(attempt.userAgent, owner.organizationId);
    return { kind: "reset-password", flow: sealFlow(ctx, { ...flow, mailboxOf, mailed: { ...mailed, code } }) };
  }
  const { row } = opened;
  const next = { ...flow, mailed: undefined, loginName: mailed.to };
  const signIn = { kind: "sign-in", flow: sealFlow(ctx, next) } as const;
  // The user has an account, as the mail has stated; the code alone does not sign in to it.
  if (row.purpose === "email_verification") return signIn;
  if (opened.kind === "open" && (await completeRegistration(ctx, row, causeOf(attempt)))) {
    return signInAs(ctx, row.payload, { ...flow, mailed: undefined }, attempt);
  }
  return (await confirmedBefore(ctx, row, next)) ?? signIn;
}

/**
 * Continues where this browser continued after it verified the address in this flow, if the form was sent again from
 * another tab. The session that started then decides; the code, which works once, opens nothing here.
 */
async function goOnSignedIn(
  ctx: Context,
  flow: SignInFlow,
  { challenge }: MailedFlow,
  { userAgent }: Attempt,
): Promise<VerifyEmailOutcome | undefined> {
  const row = await findOneTimeToken<RegistrationPayload>(ctx.db, challenge);
  if (row?.purpose !== "registration") return undefined;
  const session = await findSessionSince(ctx, row, userAgent);
  if (session === undefined || userAgent.token === undefined) return undefined;
  const next = await forMemberOf(ctx, session.organizationId, withoutProgress(flow));
  const outcome = await continueFlow(ctx, userAgent, { ...next, authenticatedSessionId: session.id });
  return { kind: "signed-in", userAgentToken: userAgent.token, outcome };
}

/** Returns this browser's session of the user, started with the verification of the address or later. */
async function findSessionSince(ctx: Context, { payload, consumedAt }: Registration, userAgent: UserAgent) {
  if (consumedAt === null) return undefined;
  const sessions = await listCurrentSessions(ctx, userAgent);
  return sessions.find(({ userId, authTime }) => userId === payload.userId && authTime >= consumedAt);
}

/** Returns that the address is verified, and how to continue; undefined if the registration created no account. */
async function confirmedBefore(
  ctx: Context,
  { payload }: Registration,
  flow: SignInFlow,
): Promise<VerifyEmailOutcome | undefined> {
  if (!(await findUser(ctx, payload.userId))) return undefined;
  const theirs = await forMemberOf(ctx, payload.organizationId, flow);
  return { kind: "confirmed", flow: { ...withCreated(theirs, payload.email), startedAt: ctx.clock() } };
}

/** Returns the flow without its request for a new account, which now exists. */
function withCreated(flow: SignInFlow, loginName: string): SignInFlow {
  if (!flow.request) return { ...flow, loginName };
  const prompt = flow.request.prompt.filter((one) => one !== "create");
  return { ...flow, loginName, request: { ...flow.request, prompt, loginHint: loginName } };
}

/** Returns the data of a link's page, or when the link was used. */
export async function readVerificationLink(
  ctx: Context,
  token: string,
  userAgent: UserAgent,
): Promise<{ email: string; flow: SignInFlow; needsPassword: boolean } | { usedAt: number | undefined }> {
  const opened = await openRegistration(ctx, { token });
  if (opened.kind !== "open") return { usedAt: opened.kind === "used" ? opened.at : undefined };
  const { payload } = opened.row;
  const flow = flowOfLink(ctx, payload, payload.organizationId, userAgent);
  return { email: payload.email, flow, needsPassword: !isBrowser(payload.browser, userAgent) };
}

/** Verifies with the link, by its page's button. */
export async function verifyEmailByLink(
  ctx: Context,
  token: string,
  password: string,
  attempt: Attempt,
): Promise<VerifyEmailOutcome> {
  const opened = await openRegistration(ctx, { token });
  if (opened.kind !== "open" && opened.kind !== "used") return { kind: "dead" };
  const { row } = opened;
  const { payload } = row;
  const sameBrowser = isBrowser(payload.browser, attempt.userAgent);
  const on = flowOfLink(ctx, payload, payload.organizationId, attempt.userAgent);
  /** Only users who could have verified the address learn more than that the link was used. */
  const wasConfirmed = async (usedAt: number): Promise<VerifyEmailOutcome> => {
    const isTheirs =
      sameBrowser ||
      (await findSessionSince(ctx, row, attempt.userAgent)) !== undefined ||
      (await checkPassword(ctx, row, password)) === undefined;
    return (isTheirs ? await confirmedBefore(ctx, row, on) : undefined) ?? { kind: "dead", usedAt };
  };
  if (opened.kind === "used") return wasConfirmed(opened.at);
  if (!sameBrowser) {
    const reason = await checkPassword(ctx, row, password);
    if (reason) return { kind: "password-refused", reason };
  }
  if (!(await completeRegistration(ctx, row, causeOf(attempt)))) return wasConfirmed(ctx.clock());
  const flow = { ...on, startedAt: ctx.clock(), loginName: payload.email };
  if (sameBrowser) return signInAs(ctx, payload, flow, attempt);
  return { kind: "confirmed", flow: await forMemberOf(ctx, payload.organizationId, flow) };
}

async function openRegistration(ctx: Context, proof: Proof) {
  const opened = await openMailedCode<RegistrationPayload>(ctx, proof);
  const foreign = "row" in opened && opened.row.purpose !== "registration";
  return foreign ? ({ kind: "expired" } as const) : opened;
}

async function checkPassword(
  ctx: Context,
  { digest, payload }: Registration,
  password: string,
): Promise<CodeProblem | undefined> {
  if (password === "") return "missing";
  const counters = [counter(limits.code, digest)];
  if ((await tally(ctx, counters)).blockedUntil !== undefined) return "blocked";
  if (await verifyPassword(password.slice(0, MAX_PASSWORD_LENGTH), payload.passwordHash)) return undefined;
  return (await countFailures(ctx, counters)) === undefined ? "wrong" : "blocked";
}

/**
 * Creates the account; false if the code has been used meanwhile, the login name has been taken, or another
 * organization has proven its domain.
 */
async function completeRegistration(ctx: Context, row: Registration, cause: Cause): Promise<boolean> {
  const { userId, organizationId, email, givenName, familyName, language, passwordHash, link } = row.payload;
  try {
    const isCreated = await changeDirectory({ ...ctx, origin: { actor: userId, ...cause } }, async (ctx) => {
      if (!(await consumeOneTimeToken(ctx.tx, row.digest, "registration", ctx.clock()))) return false;
      const organization = await readOrganization(ctx.tx, organizationId);
      if (organization?.state !== "active") return false;
      const who = { kind: "human", reservedId: userId, organizationId, userName: email } as const;
      const identity = await claimIdentity(ctx, who);
      if (isApiError(identity)) return false;
      const person = {
        firstName: givenName,
        lastName: familyName,
        preferredLanguage: language,
        email,
        isEmailVerified: true,
        isEmailTrusted: await provesMailbox(ctx.tx, organizationId, row.createdAt),
        passwordHash,
      };
      await addPerson(ctx, identity, person);
      if (link) await linkIdentityIn(ctx, identity, link);
      return true;
    });
    const provider = isCreated && link ? await findStoredProvider(ctx, link.providerId) : undefined;
    if (provider) countProviderSignIn(provider.kind, "created");
    return isCreated;
  } catch (error) {
    if (isUniqueViolation(error)) return false; // two registrations at the same moment
    throw error;
  }
}

/**
 * Signs in the user who filled in the form in this browser: they have just chosen the password, and verified the
 * address.
 */
async function signInAs(
  ctx: Context,
  { userId, organizationId, link }: RegistrationPayload,
  flow: SignInFlow,
  { userAgent, requestId }: Attempt,
): Promise<VerifyEmailOutcome> {
  const amr = [link ? FEDERATED : "pwd"];
  const proven = { user: { id: userId, organizationId }, amr, userAgent, requestId };
  const theirs = await forMemberOf(ctx, organizationId, flow);
  return { kind: "signed-in", ...(await completeSignIn(ctx, theirs, proven)) };
}

export type ResendOutcome = { kind: "too-many" } | { kind: "sent"; flow: string };

/** Mails another code in place of the last one, for existing and future accounts alike. */
export async function resendVerification(
  ctx: Context,
  flow: SignInFlow,
  { userAgent, requestId }: Attempt,
): Promise<ResendOutcome> {
  const { mailed } = flow;
  const now = ctx.clock();
  if (!mailed) return { kind: "sent", flow: sealFlow(ctx, flow) };
  const noted = (note: ResendNote, changed: Partial<MailedFlow> = {}): ResendOutcome => {
    return { kind: "sent", flow: sealFlow(ctx, { ...flow, mailed: { ...mailed, ...changed, note } }) };
  };
  if (now - mailed.sentAt < RESEND_AFTER) return noted("too-soon");
  if ((await countFailures(ctx, [counter(limits.mailsFrom, networkOf(userAgent.address))])) !== undefined) {
    return { kind: "too-many" };
  }
  return inSteadyTime(ctx, async () => {
    const row = await findOneTimeToken<RegistrationPayload & ResetPayload>(ctx.db, mailed.challenge);
    const tooMany = await countFailures(ctx, [counter(limits.mailsTo, comparableLoginName(mailed.to))]);
    if (tooMany !== undefined) return noted("too-many");
    const challenge = row && row.consumedAt === null ? await sendAgain(ctx, row, mailed, requestId) : undefined;
    return noted("again", { challenge: challenge ?? mailed.challenge, sentAt: now });
  });
}

/**
 * Repeats the first mail, for either purpose.
 * @returns the new challenge, if there is a recipient
 */
async function sendAgain(
  ctx: Context,
  row: OneTimeTokenRow<RegistrationPayload & ResetPayload>,
  mailed: MailedFlow,
  requestId: string | undefined,
): Promise<string | undefined> {
  const user = row.subjectId === null ? undefined : await findUser(ctx, row.subjectId);
  if (row.purpose === "password_reset") {
    return user && sendResetCode(ctx, user, row.payload, { requestId }, { registeringAs: mailed.to });
  }
  if (row.purpose === "email_verification") return user && remindOfAccount(ctx, user, row.payload.email, requestId);
  const challenge = await sendRegistrationCode(ctx, row.payload, requestId);
  await ctx.db.transaction((tx) => deleteOneTimeToken(tx, row.digest));
  return challenge;
}
