/**
 * A user's own email address and phone number: verifying or replacing them. Nothing changes until the code that was
 * sent has been entered in a session of the account's owner; so no one can claim an address they do not control, and a
 * stolen session alone cannot move the account to another mailbox (ASVS 6.2.3, 7.5.1).
 */
import type { Context } from "../../context";
import { changeDirectory } from "../../directory/change";
import { email as addressRule, characters, MAX_EMAIL_LENGTH, phone as numberRule } from "../../directory/fields";
import {
  type ContactChannel,
  type ContactPayload,
  emailContact,
  phoneContact,
  sendContactCode,
} from "../../directory/mailed-code/contact-code";
import { textCounters } from "../../directory/mailed-code/mail-limit";
import { type CodeProblem, type OpenedMailedCode, openMailedCode } from "../../directory/mailed-code/open";
import { comparableLoginName } from "../../directory/names";
import { findPasswordHook, isCheckable } from "../../directory/password-hook/password-hook";
import { confirmContactIn } from "../../directory/user/contact/prove";
import { type CurrentPasswordProblem, checkCurrentPassword } from "../../directory/user/current-password";
import type { SignInUser } from "../../directory/user/user";
import { asSystem, type Cause, type Origin } from "../../events/record";
import type { ResendNote } from "../../oidc/proven";
import { findValidTokenOf, voidOneTimeTokens } from "../../storage/user/one-time-tokens";
import { readUser } from "../../storage/user/user";
import { type Counter, counter, countFailures, limits, networkOf } from "../../throttle";
import { type Attempt, ownOrigin } from "../attempt";
import { RESEND_AFTER } from "../forgot-password";
import { upgradeHash } from "../hash-upgrade";
import type { FreshOwner, RecentOwner } from "./owner";

/** The origin of an attempt, from a browser or another client. */
type Sender = Pick<Attempt, "requestId"> & { userAgent: Pick<Attempt["userAgent"], "address"> };

/** An address or number that is waiting for its code. */
export interface PendingContact {
  value: string;
  challenge: string;
  /** Epoch milliseconds. */
  sentAt: number;
}

/** Returns the address or number to which a code was sent that is still valid. */
export async function findPendingContact(
  ctx: Context,
  { column, purpose, isFor }: ContactChannel,
  user: SignInUser,
): Promise<PendingContact | undefined> {
  const row = await findValidTokenOf<ContactPayload>(ctx.db, purpose, user.id, ctx.clock());
  const value = row?.payload[column];
  if (!row || value === undefined || !isFor(row.payload, user)) return undefined;
  return { value, challenge: row.digest, sentAt: row.createdAt };
}

/** Discards an address or number that is waiting for its code. */
export async function dropPendingContact(
  ctx: Context,
  { purpose }: ContactChannel,
  { user }: FreshOwner,
): Promise<void> {
  await ctx.db.transaction((tx) => voidOneTimeTokens(ctx.db, tx, purpose, ctx.clock(), user.id));
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
  const { email: value } = user;
  if (!user.mayAuthenticate || value === null || user.isEmailVerified) return undefined;
  if (comparableLoginName(value) !== comparableLoginName(typed)) return undefined;
  const wanted = { value, occasion: { registeringAs: typed } };
  return sendContactCode(asSystem(ctx, { requestId }), emailContact, user, wanted);
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
  const pending = await findPendingContact(ctx, emailContact, user);
  if (pending && ctx.clock() - pending.sentAt < RESEND_AFTER) return "too-soon";
  const email = pending?.value ?? (user.isEmailVerified ? null : user.email);
  if (email === null) return undefined;
  const outcome = await mailCode(ctx, user, email, attempt);
  return outcome === "sent" ? pending && "again" : outcome;
}

function mailCode(ctx: Context, user: SignInUser, email: string, { userAgent, requestId }: Sender) {
  const counters = [
    counter(limits.mailsFrom, networkOf(userAgent.address)),
    counter(limits.mailsTo, comparableLoginName(email)),
    // So that an account cannot be used to send mails to a list of strangers.
    counter(limits.mailsTo, "address-of", user.id),
  ];
  const origin = { actor: user.id, requestId, address: userAgent.address };
  return sendWithinLimits(ctx, emailContact, user, email, { counters, origin });
}

async function sendWithinLimits(
  ctx: Context,
  channel: ContactChannel,
  user: SignInUser,
  value: string,
  { counters, origin }: { counters: Counter[]; origin: Origin },
): Promise<"too-many" | "sent"> {
  if ((await countFailures(ctx, counters)) !== undefined) return "too-many";
  await sendContactCode({ ...ctx, origin }, channel, user, { value, isChange: true });
  return "sent";
}

/**
 * Parses a number as people write it into E.164; undefined if it is invalid.
 * `00` is how most countries dial `+` (ITU-T E.164 Annex A); without either, the country is unknown.
 */
export function readNumber(typed: string): string | undefined {
  const plain = typed
    .slice(0, 100)
    .normalize("NFKC")
    .replace(/[\s()./\p{Pd}\p{Cf}]/gu, "")
    .replace(/^00/, "+");
  return numberRule.safeParse(plain).data;
}

export type SendNumberOutcome = "sent" | "invalid" | "too-soon" | "too-many";

/** Sends a code to the typed number; earlier codes become invalid. */
export async function sendNumberCode(
  ctx: Context,
  { user }: FreshOwner,
  typed: string,
  attempt: Attempt,
): Promise<SendNumberOutcome> {
  const phone = readNumber(typed);
  if (phone === undefined) return "invalid";
  const pending = await findPendingContact(ctx, phoneContact, user);
  if (pending?.value === phone && ctx.clock() - pending.sentAt < RESEND_AFTER) return "too-soon";
  const counters = [
    counter(limits.mailsFrom, networkOf(attempt.userAgent.address)),
    ...textCounters(ctx, phone, { organizationId: user.organizationId, userId: user.id }),
  ];
  return sendWithinLimits(ctx, phoneContact, user, phone, { counters, origin: ownOrigin(user, attempt) });
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
 * @param form.currentPassword required if the user has a password that can be checked; otherwise the fresh
 *   authentication is enough
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
  if (isCheckable(user.passwordHash, await findPasswordHook(ctx, user.organizationId))) {
    const problems = await checkCurrentPassword(ctx, owner, form.currentPassword);
    if (problems) return { kind: "refused", problems };
    await upgradeHash(ctx, user, form.currentPassword);
  }
  return { kind: await mailCode(ctx, user, email, attempt) };
}

function addressProblem(user: SignInUser, email: string): AddressProblem | undefined {
  if (email === "") return "missing";
  if (characters(email) > MAX_EMAIL_LENGTH) return "too-long";
  if (!addressRule.safeParse(email).success) return "invalid";
  return email === user.email && user.isEmailVerified ? "same" : undefined;
}

export type ConfirmContactOutcome =
  /** The code was rejected; only an attempt was used up. */
  { kind: "refused"; reason: CodeProblem } | { kind: "dead"; usedAt?: number } | { kind: "confirmed" };

/** Verifies with the code that was sent, entered in any of the owner's windows. */
export async function confirmContactByCode(
  ctx: Context,
  channel: ContactChannel,
  owner: RecentOwner,
  code: string,
  cause: Cause,
): Promise<ConfirmContactOutcome> {
  const pending = await findPendingContact(ctx, channel, owner.user);
  if (!pending) return { kind: "dead" };
  if (code.trim() === "") return { kind: "refused", reason: "missing" };
  const { challenge, value } = pending;
  const to = channel.by === "mail" ? value : owner.user.id;
  const opened = await openMailedCode<ContactPayload>(ctx, { mailed: { challenge, to, tries: channel.tries }, code });
  if (opened.kind === "wrong" || opened.kind === "blocked") return { kind: "refused", reason: opened.kind };
  return confirm(ctx, channel, owner, opened, cause);
}

/** Returns the owner and the address of a link, or when the link was used. */
export async function readAddressLink(
  ctx: Context,
  token: string,
): Promise<{ userId: string; email: string } | { usedAt: number | undefined }> {
  const opened = await openMailedCode<ContactPayload>(ctx, { token });
  const { purpose, subjectId, payload } = opened.kind === "open" ? opened.row : {};
  if (purpose !== emailContact.purpose || !subjectId || payload?.email === undefined) {
    return { usedAt: opened.kind === "used" ? opened.at : undefined };
  }
  return { userId: subjectId, email: payload.email };
}

/** Verifies with the mailed link, by its page's button; it works only for the account it was requested in. */
export async function confirmAddressByLink(
  ctx: Context,
  owner: FreshOwner,
  token: string,
  cause: Cause,
): Promise<ConfirmContactOutcome> {
  return confirm(ctx, emailContact, owner, await openMailedCode<ContactPayload>(ctx, { token }), cause);
}

async function confirm(
  ctx: Context,
  channel: ContactChannel,
  { user }: RecentOwner,
  opened: OpenedMailedCode<ContactPayload>,
  cause: Cause,
): Promise<ConfirmContactOutcome> {
  if (opened.kind === "used") return { kind: "dead", usedAt: opened.at };
  if (opened.kind !== "open") return { kind: "dead" };
  const { row } = opened;
  if (row.purpose !== channel.purpose || row.subjectId !== user.id) return { kind: "dead" };
  const done = await changeDirectory(ctx, async (ctx) => {
    const stored = await readUser(ctx.tx, user.id);
    return (
      stored !== undefined && confirmContactIn({ ...ctx, origin: { actor: user.id, ...cause } }, channel, stored, row)
    );
  });
  return done ? { kind: "confirmed" } : { kind: "dead", usedAt: ctx.clock() };
}
