/**
 * The messages that users get about their account: recipient, address, values for the text, and expiry. They are
 * created inside the change they report (`record`), so that none is lost and none is sent for a change that was rolled
 * back. Codes are sealed in the database, so that a copy of it grants no access.
 */
import type { Context } from "../context";
import type { Message } from "../events/record";
import type { UserRow } from "../storage/user/user";
import type { MessageDefinition } from "./definition";

export type Recipient = Pick<UserRow, "id" | "organizationId" | "email"> & { isEmailVerified: boolean | number };

/** A user who may have a phone. */
export type TextRecipient = Pick<UserRow, "id" | "organizationId" | "phone"> & { isPhoneVerified: boolean | number };

/** A mailed secret, and the page that accepts it. */
export interface MailedCode {
  code: string;
  /** Path and query below BASE_URL: `/login/reset-password?user=…&code=…`. */
  path: string;
  /** A complete URL instead, of a page that a caller of the API has named. */
  url?: string;
  /** Epoch milliseconds; the message is not sent later than this. */
  expiresAt: number;
}

/** The payload of a message, as stored in its row, without the data of its type's own variables. */
export interface MessagePayload {
  /** JSON of `SecretPart`, sealed for "mail". */
  sealed?: string;
  /** The path of the page "This wasn't me", below BASE_URL with its secret, sealed for "mail". */
  disown?: string;
  /** Whether it goes to a phone although its type is a mail. */
  toPhone?: boolean;
  /** Whether a message that can offer a new password (definition.ts) does not. */
  withoutReset?: boolean;
  /** The recipient, if they have no account yet. */
  registrant?: Registrant;
  /** Whether it is a trial: marked as one, with sample values for missing data of the recipient. */
  isTest?: boolean;
  /** For a trial: the language, and unsaved texts. */
  language?: string;
  fields?: Readonly<Record<string, string>>;
  /** For a trial: the sample person shown in place of the recipient. */
  sample?: string;
}

/** A user who has submitted the form for a new account; the account is created when the address is confirmed. */
export interface Registrant {
  email: string;
  firstName: string;
  lastName: string;
  preferredLanguage: string;
}
export type SecretPart = Pick<MailedCode, "code" | "path" | "url">;

/** The occasion of a message that may have several. */
export interface Occasion {
  /** The address of this existing account, if the form for a new account was submitted with it. */
  registeringAs?: string;
}

/** The recipient of a message; a user without an account has no id. */
export type MailDestination = Pick<Recipient, "organizationId" | "email"> & { id?: string };

/** The name of a definition. */
interface Type {
  slug: string;
}

/**
 * Creates a message to the last address, verified or not; none without an address.
 * @param payload includes the data of the type's own variables: queued messages contain it, so its names must never
 * change
 */
export function messageTo<Own extends object = object>(
  { slug }: Type,
  { id, organizationId, email }: MailDestination,
  payload?: MessagePayload & Own,
): Message[] {
  return email === null ? [] : [{ type: slug, organizationId, userId: id, recipient: email, payload: { ...payload } }];
}

/** Creates a message with a sealed code. */
export function messageWithCode<Own extends object = object>(
  ctx: Context,
  type: Type,
  user: MailDestination,
  { code, path, url, expiresAt }: MailedCode,
  payload?: MessagePayload & Own,
): Message[] {
  const secret: SecretPart = { code, path, url };
  const sealed = ctx.secrets.seal("mail", JSON.stringify(secret));
  return messageTo(type, user, { ...payload, sealed }).map((message) => ({ ...message, expiresAt }));
}

/**
 * Creates a text message with a code. A code is entered on the page that requested it, so most of them have no link.
 */
export function textMessageWithCode(
  ctx: Context,
  type: Type,
  { id, organizationId, phone }: { id: string; organizationId: string; phone: string },
  { code, path = "", expiresAt }: Pick<MailedCode, "code" | "expiresAt"> & Partial<Pick<MailedCode, "path">>,
): Message {
  const secret: SecretPart = { code, path };
  const payload: MessagePayload = { sealed: ctx.secrets.seal("mail", JSON.stringify(secret)) };
  return {
    type: type.slug,
    organizationId,
    userId: id,
    recipient: phone,
    payload: { ...payload },
    expiresAt,
  };
}

/** The recipient of a trial: the author of the text. */
export type TrialRecipient = Recipient & { phone: string | null; isPhoneVerified: boolean | number };

/**
 * Creates a trial of a text, marked as such, only to the verified address of the user who requested it, or their
 * verified number if the message goes to phones.
 * @param texts `ownerId` is an organization's id, or the instance's
 */
export function trialMessage(
  user: TrialRecipient,
  { channel }: Pick<MessageDefinition, "channel">,
  texts: { type: string; ownerId: string } & Pick<MessagePayload, "language" | "fields" | "sample">,
): Message[] {
  const { type, ownerId, language, fields, sample } = texts;
  const { email, isEmailVerified, phone, isPhoneVerified } = user;
  const [recipient, isVerified] = channel === "sms" ? [phone, isPhoneVerified] : [email, isEmailVerified];
  if (recipient === null || !isVerified) return [];
  const payload: MessagePayload = { isTest: true, language, fields, sample };
  return [{ type, organizationId: ownerId, userId: user.id, recipient, payload: { ...payload } }];
}
