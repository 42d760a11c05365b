/**
 * Mailed secrets: a link for people who read the mail on this device, and a short code for those who read it on
 * another. Both share one row and work once. They are made here for all mails, whether an administrator or one of our
 * pages causes them. open.ts opens them, and their users decide what they permit.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { shownCode } from "../../crypto/normalize-code";
import { randomCode, randomSecret } from "../../crypto/random";
import type { EventPayload } from "../../events/catalogue";
import { type ChangeContext, type Details, type Message, recordIn } from "../../events/record";
import type { MailedCode } from "../../message-types/message";
import { insertOneTimeToken, type NewOneTimeToken, voidOneTimeTokens } from "../../storage/user/one-time-tokens";

const PAGES = {
  password_reset: "/login/reset-password",
  registration: "/login/verify-email",
  passkey_registration: "/login/passkey/new",
  email_verification: "/account/email/confirm",
  // A text message has no link.
  phone_verification: "",
} as const;
type MailedPurpose = keyof typeof PAGES;

export interface NewMailedCode {
  mail: MailedCode;
  row: NewOneTimeToken;
}

/**
 * Makes the mailed code and its row.
 * @param lifetime milliseconds
 */
export function makeMailedCode(
  ctx: Context,
  purpose: MailedPurpose,
  of: { subjectId: string | null; payload: Record<string, unknown> },
  lifetime: number,
): NewMailedCode {
  const secret = randomSecret();
  const code = randomCode();
  const createdAt = ctx.clock();
  const expiresAt = createdAt + lifetime;
  const challenge = digest(secret);
  const codeMac = codeMacOf(ctx, challenge, code);
  return {
    mail: { code: shownCode(code), path: `${PAGES[purpose]}?token=${secret}`, expiresAt },
    row: { digest: challenge, purpose, ...of, payload: { ...of.payload, codeMac }, createdAt, expiresAt },
  };
}

/** The user of a code. */
export interface CodeOf {
  id: string;
  organizationId: string;
}

type CodeEvent =
  | `user.${"email" | "phone"}.verification_requested`
  | "user.initialization_requested"
  | "user.invited"
  | "user.password.reset_requested"
  | "user.passkey.link_requested";

/** The event that reports and sends a code. */
interface CodeRequest {
  type: CodeEvent;
  payload?: EventPayload<CodeEvent>;
  messages: Message[];
  /** Changes something else in the same transaction. */
  also?(now: number): Promise<void>;
}

/** Stores codes within the caller's transaction, voids older ones of the same purposes, and sends them. */
export function storeCode(
  ctx: ChangeContext,
  { id, organizationId }: CodeOf,
  rows: readonly NewOneTimeToken[],
  { type, payload, messages, also }: CodeRequest,
): Promise<Details> {
  return recordIn(ctx, {
    type,
    object: { id, organizationId },
    async state(_, now) {
      for (const row of rows) {
        await voidOneTimeTokens(ctx.db, ctx.tx, row.purpose, now, id);
        await insertOneTimeToken(ctx.tx, row);
      }
      await also?.(now);
      return { payload, messages };
    },
  });
}

/** Returns the MAC of a code. A plain digest of a short code could be reversed by trying all codes. */
export function codeMacOf(ctx: Context, challenge: string, code: string): string {
  return ctx.secrets.mac("mailed-code", macInput(challenge, code)).toString("base64url");
}

/** Returns whether `code` has this MAC. */
export function isMailedCode(ctx: Context, codeMac: string, challenge: string, code: string): boolean {
  return ctx.secrets.verifyMac("mailed-code", macInput(challenge, code), Buffer.from(codeMac, "base64url"));
}

function macInput(challenge: string, code: string): Buffer {
  return Buffer.from(`${challenge}:${code}`);
}
