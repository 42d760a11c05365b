/**
 * The link of "This wasn't me" in a notice: it undoes what happened to the account from then on (user/disown.ts), and
 * remembers whose address and number it was until then, as somebody who took it over changes those first. It is bound to
 * the event, works once and for a week.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { randomSecret } from "../../crypto/random";
import type { Transaction } from "../../storage/database";
import { insertOneTimeToken } from "../../storage/one-time-tokens";

export const DISOWN_PURPOSE = "disown";
export const DISOWN_PATH = "/login/not-me";
/** Milliseconds. Long enough for a holiday; afterwards an old mailbox that somebody else reads has no power any more. */
const DISOWN_WITHIN = 7 * 86_400_000;

/** How the account was before, or when it was told. */
export interface Contacts {
  email: string | null;
  isEmailTrusted: boolean;
  phone: string | null;
  isPhoneVerified: boolean;
}

/** What is stored with the link. */
export interface StoredDisown extends Contacts {
  /** The type of the notice. */
  notice: string;
  /** When it happened, epoch milliseconds. */
  at: number;
  /** The app that was let in. */
  clientId?: string;
}

interface Told extends Omit<Contacts, "isEmailTrusted" | "isPhoneVerified"> {
  id: string;
  isEmailTrusted: boolean | number;
  isPhoneVerified: boolean | number;
}

/** Makes the link within the transaction of what it tells. @returns the part of the message's payload */
export async function makeDisownLink(
  ctx: Context,
  tx: Transaction,
  { id: subjectId, email, isEmailTrusted, phone, isPhoneVerified }: Told,
  { type, at, clientId }: { type: { slug: string }; at: number; clientId?: string },
): Promise<{ disown: string }> {
  const secret = randomSecret();
  const contacts = { email, isEmailTrusted: Boolean(isEmailTrusted), phone, isPhoneVerified: Boolean(isPhoneVerified) };
  const payload: StoredDisown = { notice: type.slug, at, clientId, ...contacts };
  await insertOneTimeToken(tx, {
    digest: digest(secret),
    purpose: DISOWN_PURPOSE,
    subjectId,
    payload: { ...payload },
    createdAt: at,
    expiresAt: at + DISOWN_WITHIN,
  });
  return { disown: ctx.secrets.seal("mail", `${DISOWN_PATH}?token=${secret}`) };
}
