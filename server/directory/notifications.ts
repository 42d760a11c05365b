/**
 * The messages people get because of what happened to their account: who, where to, what the text cannot know by
 * itself, until when it is worth sending. Made inside the change they tell of (`record`), so that none is lost and none
 * is sent for something that was undone. Codes lie sealed in the database: a copy of it lets nobody in.
 */
import type { Context } from "../context";
import type { Message } from "../events/record";
import type { UserRow } from "../storage/users";

export type Recipient = Pick<UserRow, "id" | "organizationId" | "email"> & { isEmailVerified: boolean | number };

/** A secret that is mailed, and the page that takes it. */
export interface MailedCode {
  code: string;
  /** Below BASE_URL, with its query: `/login/reset-password?user=…&code=…`. */
  path: string;
  /** Epoch milliseconds; the message is not sent later than this. */
  expiresAt: number;
}

/** What a message brings along, as it stands in its row. */
export interface MessagePayload {
  domain?: string;
  temporaryUserName?: string;
  applicationName?: string;
  /** JSON of `SecretPart`, sealed for "mail". */
  sealed?: string;
  /** Whom it greets, where there is no such person yet. */
  registrant?: Registrant;
  /** A trial: marked as one, with sample values where the recipient has none. */
  isTest?: boolean;
  /** Of a trial: the language to show, and texts that are not saved yet. */
  language?: string;
  fields?: Readonly<Record<string, string>>;
  /** Of a trial: the example person shown in place of the recipient. */
  sample?: string;
}

/** Somebody who has filled in the form for a new account; the account is made when the address is confirmed. */
export interface Registrant {
  email: string;
  firstName: string;
  lastName: string;
  preferredLanguage: string;
}
export type SecretPart = Pick<MailedCode, "code" | "path">;

/**
 * "Your password was changed". Spec: sent when a user's password has been changed. To a verified address only, an
 * unproven one may be a stranger's. Whether it is told at all is the notification policy's business.
 */
export function passwordChanged(user: Recipient): Message[] {
  return user.isEmailVerified ? toUser("password_change", user, {}) : [];
}

/** "Your login name has changed". To the last address, verified or not: without it nobody knows the new name. */
export function domainClaimed(user: Recipient, claim: { domain: string; temporaryUserName: string }): Message[] {
  const { domain, temporaryUserName } = claim;
  return toUser("domainclaimed", user, { domain, temporaryUserName });
}

/** "Set a new password", to a verified address only: whoever reads the mail gets the account. */
export function passwordReset(ctx: Context, user: Recipient, code: MailedCode): Message[] {
  return user.isEmailVerified ? withCode(ctx, "passwordreset", user, code) : [];
}

/** A code as second factor or to sign in, to a verified address only. */
export function emailCode(ctx: Context, user: Recipient, code: MailedCode): Message[] {
  return user.isEmailVerified ? withCode(ctx, "verifyemailotp", user, code) : [];
}

/** "Add a passkey", to a verified address only: whoever reads the mail gets the account. */
export function passkeyRegistration(ctx: Context, user: Recipient, code: MailedCode): Message[] {
  return user.isEmailVerified ? withCode(ctx, "passwordless_registration", user, code) : [];
}

/** "Confirm your email address", to the address that is to be confirmed. */
export function emailVerification(ctx: Context, user: Recipient, code: MailedCode): Message[] {
  return withCode(ctx, "verifyemail", user, code);
}

/** "Confirm your email address", to whoever wants a new account under it. */
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

/** Where a message goes; without an id to somebody who has no account. */
type Destination = Pick<Recipient, "organizationId" | "email"> & { id?: string };

/**
 * A trial of a text, to the verified address of whoever asked for it and to nobody else; it says that it is one.
 * @param texts whose they are: an organization's id, or the instance's
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
  { code, path, expiresAt }: MailedCode,
  payload: MessagePayload = {},
): Message[] {
  const secret: SecretPart = { code, path };
  const sealed = ctx.secrets.seal("mail", JSON.stringify(secret));
  return toUser(type, user, { ...payload, sealed }).map((message) => ({ ...message, expiresAt }));
}

function toUser(type: string, { id, organizationId, email }: Destination, payload: MessagePayload): Message[] {
  return email === null ? [] : [{ type, organizationId, userId: id, recipient: email, payload: { ...payload } }];
}
