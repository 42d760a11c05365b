/**
 * The messages people get about their account: recipient, address, values for the text, and until when they may be
 * sent. They are made inside the change they report (`record`), so that none is lost and none is sent for a change that
 * was rolled back. Codes are sealed in the database, so that a copy of it lets nobody in.
 */
import type { Context } from "../context";
import type { Message } from "../events/record";
import type { UserRow } from "../storage/users";

export type Recipient = Pick<UserRow, "id" | "organizationId" | "email"> & { isEmailVerified: boolean | number };

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

/** The payload of a message, as stored in its row. */
export interface MessagePayload {
  domain?: string;
  temporaryUserName?: string;
  applicationName?: string;
  /** JSON of `SecretPart`, sealed for "mail". */
  sealed?: string;
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

/**
 * "Your password was changed". Sent when a user's password has been changed (rule MESSAGE-3). Only to a verified address, since
 * another may be a stranger's. The notification policy decides whether it is sent at all.
 */
export function passwordChanged(user: Recipient): Message[] {
  return user.isEmailVerified ? toUser("password_change", user, {}) : [];
}

/**
 * "Your login name has changed". To the last address, verified or not: the person has no other way to learn the new
 * name.
 */
export function domainClaimed(user: Recipient, claim: { domain: string; temporaryUserName: string }): Message[] {
  const { domain, temporaryUserName } = claim;
  return toUser("domainclaimed", user, { domain, temporaryUserName });
}

/** Why a message is sent that may have several reasons. */
export type Occasion = Pick<MessagePayload, "wasRegistering">;

/** "Set a new password", only to a verified address, as whoever reads the mail gets the account. */
export function passwordReset(ctx: Context, user: Recipient, code: MailedCode, occasion: Occasion = {}): Message[] {
  return user.isEmailVerified ? withCode(ctx, "passwordreset", user, code, occasion) : [];
}

/** A code as second factor or for signing in, only to a verified address. */
export function emailCode(ctx: Context, user: Recipient, code: MailedCode): Message[] {
  return user.isEmailVerified ? withCode(ctx, "verifyemailotp", user, code) : [];
}

/** "Confirm your email address", to the address to be confirmed. */
export function emailVerification(ctx: Context, user: Recipient, code: MailedCode, occasion: Occasion = {}): Message[] {
  return withCode(ctx, "verifyemail", user, code, occasion);
}

/** "Confirm your email address", to somebody creating an account with it. */
export function registrationCode(
  ctx: Context,
  registrant: Registrant,
  organizationId: string,
  code: MailedCode,
): Message[] {
  const recipient = { id: undefined, organizationId, email: registrant.email };
  return withCode(ctx, "verifyemail", recipient, code, { registrant });
}

/** "Activate your account", for somebody an administrator added; the code confirms the address. */
export function initialCode(ctx: Context, user: Recipient, code: MailedCode): Message[] {
  return withCode(ctx, "init", user, code);
}

/** "Your invitation to …"; the code confirms the address. */
export function invitation(ctx: Context, user: Recipient, code: MailedCode & { applicationName: string }): Message[] {
  return withCode(ctx, "invite_user", user, code, { applicationName: code.applicationName });
}

/** The recipient of a message; somebody without an account has no id. */
type Destination = Pick<Recipient, "organizationId" | "email"> & { id?: string };

/**
 * A trial of a text, marked as such, only to the verified address of the person who requested it.
 * @param texts `ownerId` is an organization's id, or the instance's
 */
export function trialMessage(
  user: Recipient,
  texts: { type: string; ownerId: string } & Pick<MessagePayload, "language" | "fields" | "sample">,
): Message[] {
  const { type, ownerId, language, fields, sample } = texts;
  if (!user.isEmailVerified) return [];
  const payload: MessagePayload = { isTest: true, language, fields, sample };
  return toUser(type, user, payload).map((message) => ({ ...message, organizationId: ownerId }));
}

function withCode(
  ctx: Context,
  type: string,
  user: Destination,
  { code, path, url, expiresAt }: MailedCode,
  payload: MessagePayload = {},
): Message[] {
  const secret: SecretPart = { code, path, url };
  const sealed = ctx.secrets.seal("mail", JSON.stringify(secret));
  return toUser(type, user, { ...payload, sealed }).map((message) => ({ ...message, expiresAt }));
}

function toUser(type: string, { id, organizationId, email }: Destination, payload: MessagePayload): Message[] {
  return email === null ? [] : [{ type, organizationId, userId: id, recipient: email, payload: { ...payload } }];
}
