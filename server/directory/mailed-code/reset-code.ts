/** The code for choosing a new password. */
import type { Context } from "../../context";
import { type ChangeContext, inTransaction, type Message, type OriginContext } from "../../events/record";
import { accountExistsAlready } from "../../message-types/account-exists";
import type { MailedCode, Occasion, Recipient, TextRecipient } from "../../message-types/message";
import { passwordReset, passwordResetBySms } from "../../message-types/passwordreset";
import { readCodeLifetime } from "../effective-lifetimes";
import { findPolicy } from "../policy/policies";
import { type CodeDelivery, mailFor, type PassedOn } from "./delivery";
import { makeMailedCode, storeCode } from "./mailed-code";

/**
 * Where a code was requested, as stored with it. The directory neither reads nor changes it; login/requesting-browser
 * defines it.
 */
export interface Requested {
  flow: object;
  browser?: string;
}

/** The data stored with a reset code, besides where it was requested. */
export interface StoredReset extends PassedOn {
  /** The address the code was sent to; if it has changed since, the code is void. Null if it was not sent by mail. */
  email: string | null;
  /** The verified number it was sent to instead. */
  phone?: string;
  /** Set if an administrator requested it: the address may be unverified, and using a mailed link verifies it. */
  invitation?: Invitation;
}

/** How an administrator requested it. */
export interface Invitation {
  /** Whether using it proves that the user reads the mail. */
  provesEmail: boolean;
  /** The application name in the message `invite_user`. */
  applicationName?: string;
  /** The name of the person or organization who invited. Missing in codes of older releases. */
  inviterName?: string;
  urlTemplate?: string;
}

/**
 * Returns the request data for an administrator's request: no browser waits for it, and the user starts a new sign-in.
 */
export const requestedByNobody = (ctx: Context): Requested => ({
  flow: { kind: "sign-in", startedAt: ctx.clock() },
});

/**
 * Mails a code and a link to a user who may sign in, and voids older ones.
 * @returns the challenge, or undefined if the user has no verified address, or may not choose a password
 */
export async function mailResetCode(
  ctx: OriginContext,
  user: Recipient & TextRecipient & { mayAuthenticate: boolean },
  requested: Requested,
  occasion: Occasion = {},
): Promise<string | undefined> {
  const { organizationId, email } = user;
  if (!user.mayAuthenticate || email === null || !user.isEmailVerified) return undefined;
  if ((await findPolicy(ctx, "login", organizationId)).hidePasswordReset) return undefined;
  const wanted: ResetCodeWanted = { requested, occasion, delivery: { by: "mail" } };
  const made = await inTransaction(ctx, (ctx) => makeResetCode(ctx, user, wanted));
  return made.challenge;
}

export interface ResetCodeWanted {
  requested: Requested;
  delivery: CodeDelivery;
  occasion?: Occasion;
}

/** Returns whether the address or number that the code is for is still the user's. */
export function isSameDestination(
  { email, phone }: StoredReset,
  person: { email: string | null; phone: string | null; isPhoneVerified: boolean | number },
): boolean {
  return phone === undefined ? person.email === email : Boolean(person.isPhoneVerified) && person.phone === phone;
}

/**
 * Makes the code within the caller's transaction and voids older ones. A code that is returned to the caller works
 * without a verified address, because it is not sent.
 */
export async function makeResetCode(
  ctx: ChangeContext,
  user: Recipient & TextRecipient,
  { requested, delivery, occasion = {} }: ResetCodeWanted,
): Promise<{ challenge: string; code: string }> {
  const { id, email, phone } = user;
  const stored: StoredReset = {
    email,
    ...(delivery.by === "caller" && { invitation: { provesEmail: false } }),
    ...(delivery.by === "sms" && phone !== null && { phone }),
  };
  const of = { subjectId: id, payload: { ...stored, ...requested } };
  const { mail, row } = makeMailedCode(ctx, "password_reset", of, await readCodeLifetime(ctx, "passwordReset"));
  const messages =
    delivery.by === "sms" ? passwordResetBySms(ctx, user, mail) : mailed(ctx, user, mail, delivery, occasion);
  await storeCode(ctx, user, [row], { type: "user.password.reset_requested", messages });
  return { challenge: row.digest, code: mail.code };
}

function mailed(
  ctx: Context,
  user: Recipient,
  mail: MailedCode,
  delivery: CodeDelivery,
  { registeringAs }: Occasion,
): Message[] {
  const { toMail } = mailFor(ctx, user, mail, delivery);
  if (!toMail) return [];
  return registeringAs === undefined
    ? passwordReset(ctx, user, toMail)
    : accountExistsAlready(ctx, user, registeringAs, toMail);
}
