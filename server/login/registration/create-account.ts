/**
 * Creates an account (prompt=create, Initiating User Registration 1.0). The form's values are stored with the mailed
 * code and become an account only when the address is verified. So no one can occupy another person's address, or make
 * them verify an account whose password they did not choose; users who already have an account are informed by mail,
 * while the page looks the same.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { hashPassword } from "../../crypto/password-hash";
import { newId } from "../../crypto/random";
import { findCodeLifetime } from "../../directory/effective-lifetimes";
import type { NewIdentityLink } from "../../directory/identity-provider/links";
import { makeMailedCode } from "../../directory/mailed-code/mailed-code";
import { challengeOfNothing } from "../../directory/mailed-code/open";
import { comparableLoginName } from "../../directory/names";
import type { CharacterKind } from "../../directory/password-length";
import { findPolicy, type PolicySettings } from "../../directory/policy/policies";
import { findForeignOwner, userKeys } from "../../directory/user/login-name";
import { checkChosenPassword, type PasswordProblem } from "../../directory/user/password-policy";
import { findUserForSignIn, type SignInUser } from "../../directory/user/user";
import { asSystem, record } from "../../events/record";
import { accountExistsAlready } from "../../message-types/account-exists";
import { registrationCode } from "../../message-types/verifyemail";
import { countProviderSignIn } from "../../metrics/instruments";
import { type SignInFlow, sealFlow, withoutError, withoutTraces } from "../../oidc/flow";
import { insertOneTimeToken } from "../../storage/user/one-time-tokens";
import { counter, countFailures, limits, networkOf } from "../../throttle";
import { remindOfAccount } from "../account/contact";
import type { Attempt } from "../attempt";
import { applicationOf, organizationOfFlow } from "../continue-flow";
import { foreignIn } from "../foreign-identity";
import { sendResetCode } from "../forgot-password";
import { type AskedIn, mailedIn, recognizableToken } from "../requesting-browser";
import { inSteadyTime } from "../steady-time";
import { ADDRESS_RULE, NAME_RULE, problemOfText } from "../typed-names";
import { createForeignAccount, organizationOfNew } from "./foreign-account";
import { mayRegister } from "./may-register";

/** The default lifetime of a verification in milliseconds; the instance can configure another. */
const CONFIRM_WITHIN = 24 * 3_600_000;

export interface AccountForm {
  email: string;
  givenName: string;
  familyName: string;
  password: string;
}
export type AccountField = keyof AccountForm;
export type AccountProblem = "missing" | "invalid" | "too-long" | "too-short" | "common" | "personal" | CharacterKind;
export type AccountProblems = Partial<Record<AccountField, AccountProblem>>;

/** The data that become an account when the address is verified. */
export interface RegistrationPayload extends AskedIn {
  userId: string;
  organizationId: string;
  email: string;
  givenName: string;
  familyName: string;
  /** Left out for an account that signs in by an identity provider. */
  passwordHash?: string;
  link?: NewIdentityLink;
  language: string;
  browser: string;
}

export type CreateAccountOutcome =
  /** The organization does not allow registration. */
  | { kind: "closed" }
  | { kind: "client-gone" }
  | { kind: "refused"; problems: AccountProblems }
  | { kind: "too-many" }
  /** The account was created, and is linked to the proven account at the provider. */
  | { kind: "created"; user: SignInUser }
  /** The address has an account already, which its owner proves by signing in. */
  | { kind: "prove" }
  /** A mail was sent. The browser is identified by this token from now on. */
  | { kind: "mailed"; flow: string; userAgentToken: string };

export interface CreateAccountAttempt extends Attempt {
  form: AccountForm;
  /** The language of the page; stored as the user's. */
  language: string;
}

/** Validates the form and mails a code to the address. */
export async function createAccount(
  ctx: Context,
  flow: SignInFlow,
  attempt: CreateAccountAttempt,
): Promise<CreateAccountOutcome> {
  const application = await applicationOf(ctx, flow);
  if (application === "gone") return { kind: "client-gone" };
  const home = await organizationOfFlow(ctx, flow, application);
  const proven = await foreignIn(ctx, flow, attempt.userAgent);
  const organizationId = proven ? await organizationOfNew(ctx, flow, proven.provider, home) : home;
  if (organizationId === undefined || !(proven || (await mayRegister(ctx, flow, organizationId)))) {
    return { kind: "closed" };
  }
  const policy = await findPolicy(ctx, "password", organizationId);
  const problems = problemsOf(attempt.form, policy, proven !== undefined);
  if (Object.keys(problems).length > 0) return { kind: "refused", problems };
  const { userAgent, form } = attempt;
  if (proven?.foreign.isEmailVerified && isSameAddress(proven.foreign.email, form.email)) {
    const names = { givenName: form.givenName.trim(), familyName: form.familyName.trim() };
    const account = { ...proven.foreign, ...names, language: attempt.language };
    const user = await createForeignAccount(ctx, proven.provider, account, organizationId, attempt);
    if (!user) return { kind: "prove" };
    countProviderSignIn(proven.provider.kind, "created");
    return { kind: "created", user };
  }
  if ((await countFailures(ctx, [counter(limits.mailsFrom, networkOf(userAgent.address))])) !== undefined) {
    return { kind: "too-many" };
  }
  // Hashed even if it will not be needed: the time must not reveal whether an account exists.
  const passwordHash = proven ? undefined : await hashPassword(form.password);
  const userAgentToken = recognizableToken(userAgent);
  const registration: RegistrationPayload = {
    userId: newId(),
    organizationId,
    email: form.email.trim(),
    givenName: form.givenName.trim(),
    familyName: form.familyName.trim(),
    passwordHash,
    link: proven && linkOf(proven),
    language: attempt.language,
    browser: digest(userAgentToken),
    flow: withoutTraces(flow),
  };
  const challenge = await mailRegistrant(ctx, registration, attempt.requestId);
  const mailed = mailedIn(userAgentToken, { challenge, to: registration.email, sentAt: ctx.clock() });
  const carried = { ...withoutError(flow), loginName: registration.email, mailed };
  return { kind: "mailed", flow: sealFlow(ctx, carried), userAgentToken };
}

const linkOf = ({ foreign, provider }: NonNullable<Awaited<ReturnType<typeof foreignIn>>>): NewIdentityLink => ({
  providerId: provider.id,
  externalId: foreign.externalId,
  userName: foreign.userName,
  providerName: provider.name,
});

const isSameAddress = (one: string | undefined, other: string): boolean =>
  one !== undefined && comparableLoginName(one) === comparableLoginName(other.trim());

/** Returns the problem of each field, independent of existing accounts. */
function problemsOf(form: AccountForm, policy: PolicySettings<"password">, needsNoPassword: boolean): AccountProblems {
  const problems: AccountProblems = {};
  for (const field of ["email", "givenName", "familyName"] as const) {
    const problem = problemOfText(form[field], field === "email" ? ADDRESS_RULE : NAME_RULE);
    if (problem) problems[field] = problem;
  }
  if (needsNoPassword) return problems;
  const names = [form.email, form.givenName, form.familyName];
  if (form.password === "") problems.password = "missing";
  else {
    const problem = checkChosenPassword(form.password, policy, names);
    if (problem) problems.password = toFieldProblem(problem);
  }
  return problems;
}

/** Converts a password problem to that of a form field. */
export function toFieldProblem({ code }: PasswordProblem): Exclude<AccountProblem, "missing"> {
  switch (code) {
    case "malformed":
      return "invalid";
    case "too_long":
      return "too-long";
    case "too_short":
      return "too-short";
    default:
      return code;
  }
}

/**
 * Sends one mail, whose content depends on whether the address already has an account; none to an address in a domain
 * that another organization has proven.
 */
function mailRegistrant(
  ctx: Context,
  registration: RegistrationPayload,
  requestId: string | undefined,
): Promise<string> {
  return inSteadyTime(ctx, async () => {
    const { email, organizationId } = registration;
    const existing = await findUserForSignIn(ctx, email, { preferred: organizationId });
    const { userNameDomain } = userKeys(email, "");
    const foreign = await findForeignOwner({ ...ctx, tx: ctx.db.prisma }, organizationId, userNameDomain);
    const key = comparableLoginName(email);
    const tooMany = await countFailures(ctx, [counter(limits.mailsTo, key)]);
    if (tooMany !== undefined) return challengeOfNothing();
    // Only that organization creates accounts with such names. No mail is sent, and the page does not reveal it.
    if (!existing && foreign !== undefined) return challengeOfNothing();
    if (!existing) return sendRegistrationCode(ctx, registration, requestId);
    return (await tellOwner(ctx, existing, registration, requestId)) ?? challengeOfNothing();
  });
}

/**
 * Informs the owner of an existing account that someone registered with its address: with a code for a new password if
 * the address is verified and the policy permits it, else without.
 * @returns the challenge of the code; undefined if no code was sent
 */
async function tellOwner(
  ctx: Context,
  user: SignInUser,
  registration: RegistrationPayload,
  requestId: string | undefined,
): Promise<string | undefined> {
  const { email } = registration;
  const challenge =
    (await sendResetCode(ctx, user, registration, { requestId }, { registeringAs: email })) ??
    (await remindOfAccount(ctx, user, email, requestId));
  if (challenge !== undefined || !user.mayAuthenticate || !user.isEmailVerified) return challenge;
  await record(asSystem(ctx, { requestId }), {
    type: "user.registration.requested",
    object: user,
    state: async () => ({ payload: { email }, messages: accountExistsAlready(ctx, user, email) }),
  });
  return undefined;
}

/**
 * Mails a code and a link for a registration.
 * @returns the challenge
 */
export async function sendRegistrationCode(
  ctx: Context,
  registration: RegistrationPayload,
  requestId: string | undefined,
): Promise<string> {
  const { userId, organizationId, email, givenName, familyName, language } = registration;
  const of = { subjectId: userId, payload: { ...registration } };
  const { mail, row } = makeMailedCode(
    ctx,
    "registration",
    of,
    await findCodeLifetime(ctx, "verifyEmail", CONFIRM_WITHIN),
  );
  const registrant = { email, firstName: givenName, lastName: familyName, preferredLanguage: language };
  await record(asSystem(ctx, { requestId }), {
    type: "user.registration.requested",
    object: { id: userId, organizationId },
    async state({ tx }) {
      await insertOneTimeToken(tx, row);
      return { payload: { email }, messages: registrationCode(ctx, registrant, organizationId, mail) };
    },
  });
  return row.digest;
}
