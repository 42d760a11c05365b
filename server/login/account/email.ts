/**
 * A user's own email address: verifying or replacing it. Nothing changes until the mailed code has been entered in a
 * session of the account's owner; so no one can claim an address they do not control, and a stolen session alone cannot
 * move the account to another mailbox (ASVS 6.2.3, 7.5.1).
 */
import type { Context } from "../../context";
import { changeDirectory } from "../../directory/change";
import { email as addressRule, characters, MAX_EMAIL_LENGTH } from "../../directory/fields";
import { ADDRESS_PURPOSE, type AddressPayload, sendAddressCode } from "../../directory/mailed-code/address-code";
import { type CodeProblem, type OpenedMailedCode, openMailedCode } from "../../directory/mailed-code/open";
import { comparableLoginName } from "../../directory/names";
import { confirmAddressIn } from "../../directory/user/contact/prove-email";
import { type CurrentPasswordProblem, checkCurrentPassword } from "../../directory/user/current-password";
import type { SignInUser } from "../../directory/user/user";
import type { Cause } from "../../events/record";
import type { ResendNote } from "../../oidc/flow";
import { findValidTokenOf, type OneTimeTokenRow, voidOneTimeTokens } from "../../storage/user/one-time-tokens";
import { readUser } from "../../storage/user/user";
import { counter, countFailures, limits, networkOf } from "../../throttle";
import type { Attempt } from "../attempt";
import { RESEND_AFTER } from "../forgot-password";
import type { FreshOwner, RecentOwner } from "./owner";

/** The origin of an attempt, from a browser or another client. */
type Sender = Pick<Attempt, "requestId"> & { userAgent: Pick<Attempt["userAgent"], "address"> };

/** An address that is waiting for its code. */
export interface PendingAddress {
  email: string;
  challenge: string;
  /** Epoch milliseconds. */
  sentAt: number;
}

/** Returns the address whose code has been mailed, if the code is still valid. */
export async function findPendingAddress(ctx: Context, user: SignInUser): Promise<PendingAddress | undefined> {
  const row = await findValidTokenOf<AddressPayload>(ctx.db, ADDRESS_PURPOSE, user.id, ctx.clock());
  if (!row || row.payload.current !== user.email) return undefined;
  return { email: row.payload.email, challenge: row.digest, sentAt: row.createdAt };
}

/**
 * For a registration with the unverified address of an existing account: the mail names that account, and its link
 * leads to signing in to it and verifying the address. The mail alone does not sign in.
 * @returns the challenge, or undefined if that is not the account's address
 */
export async function remindOfAccount(
  ctx: Context,
  user: SignInUser,
  typed: string,
  requestId: string | undefined,
): Promise<string | undefined> {
  if (!user.mayAuthenticate || user.email === null || user.isEmailVerified) return undefined;
  if (comparableLoginName(user.email) !== comparableLoginName(typed)) return undefined;
  return sendAddressCode(ctx, user, user.email, { actor: "system", requestId }, { wasRegistering: true });
}

/**
 * Mails another code, or the first one for an unverified address.
 * @returns the note for the page; undefined for a first code, and if there is nothing to verify
 */
export async function sendCodeToOwner(
  ctx: Context,
  { user }: RecentOwner,
  attempt: Sender,
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
  { userAgent, requestId }: Sender,
): Promise<"too-many" | "sent"> {
  const counters = [
    counter(limits.mailsFrom, networkOf(userAgent.address)),
    counter(limits.mailsTo, comparableLoginName(email)),
    // So that an account cannot be used to send mails to a list of strangers.
    counter(limits.mailsTo, "address-of", user.id),
  ];
  if ((await countFailures(ctx, counters)) !== undefined) return "too-many";
  await sendAddressCode(ctx, user, email, { actor: user.id, requestId, address: userAgent.address });
  return "sent";
}

export type AddressProblem = "missing" | "invalid" | "too-long" | "same";

export interface ChangeAddressProblems extends Partial<CurrentPasswordProblem> {
  email?: AddressProblem;
}

export type ChangeAddressOutcome =
  | { kind: "refused"; problems: ChangeAddressProblems }
  | { kind: "too-many" }
  /** The old address remains until the code has been entered. */
  | { kind: "sent" };

/**
 * Starts a change of the address.
 * @param form.currentPassword required if the user has a password; otherwise the fresh authentication is enough
 */
export async function changeAddress(
  ctx: Context,
  owner: RecentOwner,
  form: { email: string; currentPassword: string },
  attempt: Sender,
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
  if (characters(email) > MAX_EMAIL_LENGTH) return "too-long";
  if (!addressRule.safeParse(email).success) return "invalid";
  return email === user.email && user.isEmailVerified ? "same" : undefined;
}

/** Discards an address that is waiting for its code. */
export async function dropPendingAddress(ctx: Context, { user }: FreshOwner): Promise<void> {
  await ctx.db.transaction((tx) => voidOneTimeTokens(ctx.db, tx, ADDRESS_PURPOSE, ctx.clock(), user.id));
}

export type ConfirmAddressOutcome =
  /** The code was rejected; only an attempt was used up. */
  { kind: "refused"; reason: CodeProblem } | { kind: "dead"; usedAt?: number } | { kind: "confirmed" };

/** Verifies with the code from the mail, entered in any of the owner's windows. */
export async function confirmAddressByCode(
  ctx: Context,
  owner: RecentOwner,
  code: string,
  cause: Cause,
): Promise<ConfirmAddressOutcome> {
  const pending = await findPendingAddress(ctx, owner.user);
  if (!pending) return { kind: "dead" };
  if (code.trim() === "") return { kind: "refused", reason: "missing" };
  const mailed = { challenge: pending.challenge, to: pending.email };
  const opened = await openMailedCode<AddressPayload>(ctx, { mailed, code });
  if (opened.kind === "wrong" || opened.kind === "blocked") return { kind: "refused", reason: opened.kind };
  return confirm(ctx, owner, opened, cause);
}

/** Returns the owner and the address of a link, or when the link was used. */
export async function readAddressLink(
  ctx: Context,
  token: string,
): Promise<{ userId: string; email: string } | { usedAt: number | undefined }> {
  const opened = await openMailedCode<AddressPayload>(ctx, { token });
  if (opened.kind !== "open" || opened.row.purpose !== ADDRESS_PURPOSE || opened.row.subjectId === null) {
    return { usedAt: opened.kind === "used" ? opened.at : undefined };
  }
  return { userId: opened.row.subjectId, email: opened.row.payload.email };
}

/** Verifies with the mailed link, by its page's button; it works only for the account it was requested in. */
export async function confirmAddressByLink(
  ctx: Context,
  owner: FreshOwner,
  token: string,
  cause: Cause,
): Promise<ConfirmAddressOutcome> {
  return confirm(ctx, owner, await openMailedCode<AddressPayload>(ctx, { token }), cause);
}

async function confirm(
  ctx: Context,
  { user }: RecentOwner,
  opened: OpenedMailedCode<AddressPayload>,
  cause: Cause,
): Promise<ConfirmAddressOutcome> {
  if (opened.kind === "used") return { kind: "dead", usedAt: opened.at };
  if (opened.kind !== "open" || !isOf(opened.row, user)) return { kind: "dead" };
  const { row } = opened;
  const done = await changeDirectory(ctx, async (tx) => {
    const stored = await readUser(tx, user.id);
    return stored !== undefined && confirmAddressIn(ctx, tx, stored, row, { actor: user.id, ...cause });
  });
  return done ? { kind: "confirmed" } : { kind: "dead", usedAt: ctx.clock() };
}

function isOf({ purpose, subjectId }: OneTimeTokenRow<unknown>, { id }: SignInUser): boolean {
  return purpose === ADDRESS_PURPOSE && subjectId === id;
}
