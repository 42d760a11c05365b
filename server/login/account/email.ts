/**
 * A person's own mail address: confirming the one that stands, and putting another in its place. Nothing is changed
 * before whoever reads the mail has shown the code, signed in as the owner of the account; so nobody takes an address
 * that is not his, and a stolen session alone does not move the account to another inbox (ASVS 6.2.3, 7.5.1).
 */
import type { Context } from "../../context";
import { changeDirectory } from "../../directory/change";
import { email as addressRule, characters } from "../../directory/fields";
import { comparableLoginName } from "../../directory/names";
import { emailVerification } from "../../directory/notifications";
import { changePerson, type SignInUser } from "../../directory/user/user";
import { recordIn } from "../../events/record";
import type { ResendNote } from "../../oidc/flow";
import type { UserAgent } from "../../sessions/user-agent";
import {
  consumeOneTimeToken,
  findOpenTokenOf,
  insertOneTimeToken,
  type OneTimeTokenRow,
  voidOneTimeTokens,
} from "../../storage/one-time-tokens";
import { readUser } from "../../storage/users";
import { type CurrentPasswordProblem, checkCurrentPassword } from "../current-password";
import { RESEND_AFTER } from "../forgot-password";
import { makeMailedCode, type Opened, openMailedCode } from "../mailed-code";
import { counter, countFailures, limits, networkOf } from "../throttle";
import type { FreshOwner } from "./owner";

const PURPOSE = "email_verification";
/** Milliseconds in which the code works. */
const CONFIRM_WITHIN = 3_600_000;
/** Characters; RFC 5321 §4.5.3.1.3. */
export const LONGEST_ADDRESS = 254;

/** What is kept with the code. */
export interface AddressPayload {
  /** Where it was sent. */
  email: string;
  /** The address of the account at that time; once there is another one, the code is void. */
  current: string | null;
}

export interface AddressAttempt {
  userAgent: UserAgent;
  requestId: string | undefined;
}

/** An address that waits for its code. */
export interface PendingAddress {
  email: string;
  challenge: string;
  /** Epoch milliseconds. */
  sentAt: number;
}

export async function findPendingAddress(ctx: Context, user: SignInUser): Promise<PendingAddress | undefined> {
  const row = await findOpenTokenOf<AddressPayload>(ctx.db, PURPOSE, user.id, ctx.clock());
  if (!row || row.payload.current !== user.email) return undefined;
  return { email: row.payload.email, challenge: row.digest, sentAt: row.createdAt };
}

/**
 * To whoever wants a new account under an address that one has already, never confirmed: the mail names the account,
 * and its link leads to signing in to it and confirming. Nobody gets in by this mail alone.
 * @returns the challenge, or undefined where the address of the account is another one
 */
export async function remindOfAccount(
  ctx: Context,
  user: SignInUser,
  typed: string,
  requestId: string | undefined,
): Promise<string | undefined> {
  if (!user.mayAuthenticate || user.email === null || user.isEmailVerified) return undefined;
  if (comparableLoginName(user.email) !== comparableLoginName(typed)) return undefined;
  return sendAddressCode(ctx, user, user.email, { actor: "system", requestId });
}

/** Mails a code and a link to an address that is not confirmed yet; older ones die. @returns the challenge */
export async function sendAddressCode(
  ctx: Context,
  user: Pick<SignInUser, "id" | "organizationId" | "email" | "isEmailVerified">,
  email: string,
  origin: { actor: string; requestId: string | undefined },
): Promise<string> {
  const payload: AddressPayload = { email, current: user.email };
  const of = { subjectId: user.id, payload: { ...payload } };
  const { mail, row } = makeMailedCode(ctx, PURPOSE, of, CONFIRM_WITHIN);
  await ctx.db.transaction((tx) =>
    recordIn(ctx, tx, {
      type: "user.email.verification_requested",
      aggregateId: user.id,
      resourceOwner: user.organizationId,
      origin,
      async state(_, now) {
        await voidOneTimeTokens(tx, PURPOSE, now, user.id);
        await insertOneTimeToken(tx, row);
        return { payload: { email }, messages: emailVerification(ctx, { ...user, email }, mail) };
      },
    }),
  );
  return row.digest;
}

/**
 * Mails the code once more, or the first one for the address that stands unconfirmed.
 * @returns what there is to say of it; undefined for a first code, and where there is nothing to confirm
 */
export async function sendCodeToOwner(
  ctx: Context,
  { user }: FreshOwner,
  attempt: AddressAttempt,
): Promise<ResendNote | undefined> {
  const pending = await findPendingAddress(ctx, user);
  if (pending && ctx.clock() - pending.sentAt < RESEND_AFTER) return "too-soon";
  const email = pending?.email ?? (user.isEmailVerified ? null : user.email);
  if (email === null) return undefined;
  const outcome = await sendWithinLimits(ctx, user, email, attempt);
  return outcome === "sent" ? pending && "again" : outcome;
}

async function sendWithinLimits(
  ctx: Context,
  user: SignInUser,
  email: string,
  { userAgent, requestId }: AddressAttempt,
): Promise<"too-many" | "sent"> {
  const counters = [
    counter(limits.mailsFrom, networkOf(userAgent.address)),
    counter(limits.mailsTo, comparableLoginName(email)),
    // Nobody sends mails to whole lists of strangers from an account of his own.
    counter(limits.mailsTo, "address-of", user.id),
  ];
  if ((await countFailures(ctx, counters)) !== undefined) return "too-many";
  await sendAddressCode(ctx, user, email, { actor: user.id, requestId });
  return "sent";
}

export type AddressProblem = "missing" | "invalid" | "too-long" | "same";

export interface ChangeAddressProblems extends Partial<CurrentPasswordProblem> {
  email?: AddressProblem;
}

export type ChangeAddressOutcome =
  | { kind: "refused"; problems: ChangeAddressProblems }
  | { kind: "too-many" }
  /** The old address stands until the code is given. */
  | { kind: "sent" };

/** @param form.currentPassword of whoever has one; where there is none, a fresh authentication has to do */
export async function changeAddress(
  ctx: Context,
  owner: FreshOwner,
  form: { email: string; currentPassword: string },
  attempt: AddressAttempt,
): Promise<ChangeAddressOutcome> {
  const { user } = owner;
  const email = form.email.trim();
  const problem = addressProblem(user, email);
  if (problem) return { kind: "refused", problems: { email: problem } };
  if (user.passwordHash !== null) {
    const problems = await checkCurrentPassword(ctx, owner, form.currentPassword);
    if (problems) return { kind: "refused", problems };
  }
  return { kind: await sendWithinLimits(ctx, user, email, attempt) };
}

function addressProblem(user: SignInUser, email: string): AddressProblem | undefined {
  if (email === "") return "missing";
  if (characters(email) > LONGEST_ADDRESS) return "too-long";
  if (!addressRule.safeParse(email).success) return "invalid";
  return email === user.email && user.isEmailVerified ? "same" : undefined;
}

/** Lets an address that waits go. */
export async function dropPendingAddress(ctx: Context, { user }: FreshOwner): Promise<void> {
  await ctx.db.transaction((tx) => voidOneTimeTokens(tx, PURPOSE, ctx.clock(), user.id));
}

export type ConfirmAddressOutcome =
  /** Of the code; nothing was used up but a try. */
  | { kind: "refused"; reason: "missing" | "wrong" | "blocked" }
  | { kind: "dead"; usedAt?: number }
  | { kind: "confirmed" };

/** With the code from the mail, in whatever window of the owner. */
export async function confirmAddressByCode(
  ctx: Context,
  owner: FreshOwner,
  code: string,
  requestId: string | undefined,
): Promise<ConfirmAddressOutcome> {
  const pending = await findPendingAddress(ctx, owner.user);
  if (!pending) return { kind: "dead" };
  if (code.trim() === "") return { kind: "refused", reason: "missing" };
  const mailed = { challenge: pending.challenge, to: pending.email, sentAt: pending.sentAt };
  const opened = await openMailedCode<AddressPayload>(ctx, { mailed, code });
  if (opened.kind === "wrong" || opened.kind === "blocked") return { kind: "refused", reason: opened.kind };
  return confirm(ctx, owner, opened, requestId);
}

/** Whose mailed link it is, and what it confirms; undefined where it has come to its end. */
export async function readAddressLink(
  ctx: Context,
  token: string,
): Promise<{ userId: string; email: string } | { usedAt: number | undefined }> {
  const opened = await openMailedCode<AddressPayload>(ctx, { token });
  if (opened.kind !== "open" || opened.row.purpose !== PURPOSE || opened.row.subjectId === null) {
    return { usedAt: opened.kind === "used" ? opened.at : undefined };
  }
  return { userId: opened.row.subjectId, email: opened.row.payload.email };
}

/** With the mailed link, after its page was looked at; a link does nothing without the account it was asked for in. */
export async function confirmAddressByLink(
  ctx: Context,
  owner: FreshOwner,
  token: string,
  requestId: string | undefined,
): Promise<ConfirmAddressOutcome> {
  return confirm(ctx, owner, await openMailedCode<AddressPayload>(ctx, { token }), requestId);
}

async function confirm(
  ctx: Context,
  { user }: FreshOwner,
  opened: Opened<AddressPayload>,
  requestId: string | undefined,
): Promise<ConfirmAddressOutcome> {
  if (opened.kind === "used") return { kind: "dead", usedAt: opened.at };
  if (opened.kind !== "open" || !isOf(opened.row, user)) return { kind: "dead" };
  const { digest, payload } = opened.row;
  const done = await changeDirectory(ctx, async (tx) => {
    if (!(await consumeOneTimeToken(tx, digest, PURPOSE, ctx.clock()))) return false;
    const stored = await readUser(tx, user.id);
    if (!stored || stored.email !== payload.current) return false;
    const fields = { email: payload.email, isEmailVerified: true };
    await changePerson(ctx, tx, stored, fields, "", { actor: user.id, requestId });
    return true;
  });
  return done ? { kind: "confirmed" } : { kind: "dead", usedAt: ctx.clock() };
}

function isOf({ purpose, subjectId }: OneTimeTokenRow<unknown>, { id }: SignInUser): boolean {
  return purpose === PURPOSE && subjectId === id;
}
