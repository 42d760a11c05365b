/** The codes that verify the email address or the phone number of a user. */
import type { Context } from "../../context";
import { type ChangeContext, inTransaction, type Message, type OriginContext } from "../../events/record";
import { accountExistsUnverified } from "../../message-types/account-exists";
import type { MailedCode, Occasion } from "../../message-types/message";
import { emailVerification } from "../../message-types/verifyemail";
import { phoneVerification } from "../../message-types/verifyphone";
import { type Limit, limits } from "../../throttle";
import { readCodeLifetime } from "../effective-lifetimes";
import { type CodeDelivery, mailFor, type PassedOn } from "./delivery";
import { type CodeOf, makeMailedCode, type NewMailedCode, storeCode } from "./mailed-code";
import { requestedByNobody, type StoredReset } from "./reset-code";

/** The data stored with the code, by channel. */
export interface ContactPayload extends PassedOn {
  /** The address the code was sent to. */
  email?: string;
  /** The account's address at that time; if it has changed since, the code is void. */
  current?: string | null;
  /** The number the code was sent to; if the user has another one since, the code is void. */
  phone?: string;
  /** Whether the number replaces the user's current one once it is verified. */
  isChange?: boolean;
}

interface Contacts {
  email: string | null;
  phone?: string | null;
}

/** The properties in which the email address and the phone number of a user differ. */
export interface ContactChannel {
  column: "email" | "phone";
  verified: "isEmailVerified" | "isPhoneVerified";
  noun: string;
  purpose: "email_verification" | "phone_verification";
  lifetime: "verifyEmail" | "verifyPhone";
  /** How codes are sent. */
  by: "mail" | "sms";
  /** The limit of attempts for one code; by default that of mailed codes. */
  tries?: Limit;
  payload(user: Contacts, value: string, isChange: boolean | undefined): ContactPayload;
  /** Returns whether the code is still for this user, whose contact may have changed since. */
  isFor(payload: ContactPayload, user: Contacts): boolean;
  /** Returns the columns of a changed contact. */
  columns(
    value: string | null,
    isVerified: boolean,
  ): Partial<Record<"email" | "phone", string | null>> &
    Partial<Record<"isEmailVerified" | "isPhoneVerified", boolean>>;
  messages(ctx: Context, user: CodeOf & Contacts, value: string, code: MailedCode, occasion: Occasion): Message[];
}

export const emailContact: ContactChannel = {
  column: "email",
  verified: "isEmailVerified",
  noun: "email address",
  purpose: "email_verification",
  lifetime: "verifyEmail",
  by: "mail",
  payload: ({ email: current }, email) => ({ email, current }),
  isFor: ({ current }, { email }) => current === email,
  columns: (email, isEmailVerified) => ({ email, isEmailVerified }),
  messages(ctx, user, email, code, { registeringAs }) {
    const recipient = { ...user, email, isEmailVerified: false };
    return registeringAs === undefined
      ? emailVerification(ctx, recipient, code)
      : accountExistsUnverified(ctx, recipient, registeringAs, code);
  },
};

export const phoneContact: ContactChannel = {
  column: "phone",
  verified: "isPhoneVerified",
  noun: "phone number",
  purpose: "phone_verification",
  lifetime: "verifyPhone",
  by: "sms",
  // A text message may be read on a locked screen.
  tries: limits.textedCode,
  payload: (_, phone, isChange) => ({ phone, isChange }),
  isFor: ({ phone, isChange }, user) => isChange === true || phone === user.phone,
  columns: (phone, isPhoneVerified) => ({ phone, isPhoneVerified }),
  messages: (ctx, { id, organizationId }, phone, { code, expiresAt }) => [
    phoneVerification(ctx, { id, organizationId, phone }, { code, expiresAt }),
  ],
};

export const contactChannels = { mail: emailContact, sms: phoneContact };

/**
 * Sends a code, and by mail also a link, to an unverified contact and voids older ones.
 * @returns the challenge
 */
export async function sendContactCode(
  ctx: OriginContext,
  channel: ContactChannel,
  user: CodeOf & Contacts,
  wanted: Omit<ContactCodeWanted, "delivery">,
): Promise<string> {
  const made = await inTransaction(ctx, (ctx) =>
    makeContactCode(ctx, channel, user, { ...wanted, delivery: { by: channel.by } }),
  );
  return made.challenge;
}

export interface ContactCodeWanted {
  /** The address or number to verify. */
  value: string;
  delivery: CodeDelivery;
  /** Whether a number replaces the user's current one once it is verified. */
  isChange?: boolean;
  occasion?: Occasion;
  /**
   * Whether the person cannot sign in yet. Our link, which requires a sign-in, is then replaced by one to choose a
   * password, which also verifies the address.
   */
  cannotSignIn?: boolean;
}

/**
 * Makes the code within the caller's transaction, sends it if requested, and voids older ones.
 * @returns with the code as people type it if the caller passes it on
 */
export async function makeContactCode(
  ctx: ChangeContext,
  channel: ContactChannel,
  user: CodeOf & Contacts,
  { value, delivery, isChange, occasion = {}, cannotSignIn = false }: ContactCodeWanted,
): Promise<{ challenge: string; code: string | undefined }> {
  const of = { subjectId: user.id, payload: { ...channel.payload(user, value, isChange) } };
  const lifetime = await readCodeLifetime(ctx, channel.lifetime);
  const { mail, row } = makeMailedCode(ctx, channel.purpose, of, lifetime);
  const choice = cannotSignIn && delivery.by === "mail" ? makeChoice(ctx, user.id, value, lifetime) : undefined;
  const { toMail, passedOn } = mailFor(ctx, user, { ...mail, path: choice?.mail.path ?? mail.path }, delivery);
  const stored = { ...row, payload: { ...row.payload, passedOn } };
  await storeCode(ctx, user, choice ? [stored, choice.row] : [stored], {
    type: `user.${channel.column}.verification_requested`,
    payload: { [channel.column]: value },
    messages: toMail ? channel.messages(ctx, user, value, toMail, occasion) : [],
  });
  return { challenge: row.digest, code: delivery.by === "caller" ? mail.code : undefined };
}

/**
 * Makes a link to choose a password.
 * @param lifetime milliseconds
 */
function makeChoice(ctx: Context, subjectId: string, email: string, lifetime: number): NewMailedCode {
  const stored: StoredReset = { email, invitation: { provesEmail: true } };
  const payload = { ...stored, ...requestedByNobody(ctx) };
  return makeMailedCode(ctx, "password_reset", { subjectId, payload }, lifetime);
}
