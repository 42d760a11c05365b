/**
 * The messages people get about their account: recipient, address, values for the text, and until when they may be
 * sent. They are made inside the change they report (`record`), so that none is lost and none is sent for a change that
 * was rolled back. Codes are sealed in the database, so that a copy of it lets nobody in.
 */
import type { Context } from "../context";
import type { Message } from "../events/record";
import type { UserRow } from "../storage/users";
import type { MessageDefinition } from "./definition";

export type Recipient = Pick<UserRow, "id" | "organizationId" | "email"> & { isEmailVerified: boolean | number };

/** Somebody who may have a phone. */
export type TextRecipient = Pick<UserRow, "id" | "organizationId" | "phone"> & { isPhoneVerified: boolean | number };

/** A mailed secret, and the page that accepts it. */
export interface MailedCode {
  code: string;
  /** Below BASE_URL, with its query: `/login/reset-password?user=…&code=…`. */
  path: string;
  /** A complete address instead, of a page that a caller of the API has named. */
  url?: string;
  /** Epoch milliseconds; the message is not sent later than this. */
  expiresAt: number;
}

/** The payload of a message, as stored in its row, beside what its type's own variables are made of. */
export interface MessagePayload {
  /** JSON of `SecretPart`, sealed for "mail". */
  sealed?: string;
  /** The page of "This wasn't me", below BASE_URL with its secret, sealed for "mail". */
  disown?: string;
  /** It goes to a phone, though its type is a mail. */
  toPhone?: boolean;
  /** The form for a new account was filled in with the address of this one. */
  wasRegistering?: boolean;
  /** The person addressed, if they have no account yet. */
  registrant?: Registrant;
  /** A trial: marked as one, with sample values where the recipient has none. */
  isTest?: boolean;
  /** For a trial: the language, and texts that are not saved yet. */
  language?: string;
  fields?: Readonly<Record<string, string>>;
  /** For a trial: the sample person shown in place of the recipient. */
  sample?: string;
}

/** Somebody who has filled in the form for a new account; the account is made when the address is confirmed. */
export interface Registrant {
  email: string;
  firstName: string;
  lastName: string;
  preferredLanguage: string;
}
export type SecretPart = Pick<MailedCode, "code" | "path" | "url">;

/** Why a message is sent that may have several reasons. */
export type Occasion = Pick<MessagePayload, "wasRegistering">;

/** The recipient of a message; somebody without an account has no id. */
export type MailDestination = Pick<Recipient, "organizationId" | "email"> & { id?: string };

/** Of a definition, its name alone. */
interface Type {
  slug: string;
}

/**
 * To the last address, verified or not; nothing where there is none.
 * @param payload with what the type's own variables are made of: queued messages have it, so its names are never changed
 */
export function messageTo<Own extends object = object>(
  { slug }: Type,
  { id, organizationId, email }: MailDestination,
  payload?: MessagePayload & Own,
): Message[] {
  return email === null ? [] : [{ type: slug, organizationId, userId: id, recipient: email, payload: { ...payload } }];
}

/** The same with a code, which is sealed. */
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

/** The same to a phone. A code is typed where it was asked for, so most of them have no link. */
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

/** Whom a trial goes to: the author of the text. */
export type TrialRecipient = Recipient & { phone: string | null; isPhoneVerified: boolean | number };

/**
 * A trial of a text, marked as such, only to the verified address of the person who requested it, or their verified
 * number if the message goes to phones.
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
