/**
 * The link "This wasn't me" in a notice. It undoes what happened to the account since then (user/secure-account.ts),
 * and stores the email address and phone number from before, because an attacker who takes over an account changes
 * those first. It is bound to the event, and works once and for a week.
 */
import { digest } from "../../crypto/digest";
import { randomSecret } from "../../crypto/random";
import type { TransactionContext } from "../../events/record";
import { insertOneTimeToken } from "../../storage/user/one-time-tokens";

export const NOT_ME_PURPOSE = "disown";
export const NOT_ME_PATH = "/login/not-me";
/** Milliseconds. Long enough for a holiday; after that, access to an old mailbox gives no power over the account. */
const DISOWN_WITHIN = 7 * 86_400_000;

/** The contact data of the account before the event, or when the notice was sent. */
export interface Contacts {
  email: string | null;
  isEmailTrusted: boolean;
  phone: string | null;
  isPhoneVerified: boolean;
}

/** The data stored with the link. */
export interface StoredNotMe extends Contacts {
  /** The type of the notice. */
  notice: string;
  /** The time of the event, in epoch milliseconds. */
  at: number;
  /** The app that was granted access. */
  clientId?: string;
}

interface Told extends Omit<Contacts, "isEmailTrusted" | "isPhoneVerified"> {
  id: string;
  isEmailTrusted: boolean;
  isPhoneVerified: boolean;
}

/**
 * Makes the link within the transaction of the event.
 * @returns its part of the message's payload
 */
export async function makeNotMeLink(
  ctx: TransactionContext,
  { id: subjectId, email, isEmailTrusted, phone, isPhoneVerified }: Told,
  { type, at, clientId }: { type: { slug: string }; at: number; clientId?: string },
): Promise<{ disown: string }> {
  const secret = randomSecret();
  const contacts = { email, isEmailTrusted: Boolean(isEmailTrusted), phone, isPhoneVerified: Boolean(isPhoneVerified) };
  const payload: StoredNotMe = { notice: type.slug, at, clientId, ...contacts };
  await insertOneTimeToken(ctx.tx, {
    digest: digest(secret),
    purpose: NOT_ME_PURPOSE,
    subjectId,
    payload: { ...payload },
    createdAt: at,
    expiresAt: at + DISOWN_WITHIN,
  });
  return { disown: ctx.secrets.seal("mail", `${NOT_ME_PATH}?token=${secret}`) };
}
