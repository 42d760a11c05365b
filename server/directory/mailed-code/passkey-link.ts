/**
 * The link for adding a passkey. It is as powerful as a link to choose a new password, so it is made by the same
 * people, works once, and is void when the user's address has changed or another one was made.
 */
import type { ChangeContext, Details } from "../../events/record";
import type { Recipient } from "../../message-types/message";
import { passkeyInvitation } from "../../message-types/passwordless-registration";
import { readCodeLifetime } from "../effective-lifetimes";
import { type CodeDelivery, mailFor } from "./delivery";
import { makeMailedCode, storeCode } from "./mailed-code";

export const PASSKEY_PURPOSE = "passkey_registration";

export interface StoredPasskeyLink {
  /** The address it was sent to; null if it was not sent. */
  email: string | null;
}

export interface PasskeyLink {
  /** The complete URL of the page. */
  link: string;
  /** Identifies the link, but does not open it. */
  id: string;
  /** The secret in it. */
  token: string;
  /** Epoch milliseconds. */
  expiresAt: number;
  details: Details;
}

/** Makes the link within the caller's transaction and voids older ones. */
export async function makePasskeyLink(
  ctx: ChangeContext,
  user: Recipient,
  delivery: CodeDelivery,
): Promise<PasskeyLink> {
  const isMailed = delivery.by === "mail";
  const payload: StoredPasskeyLink = { email: isMailed ? user.email : null };
  const of = { subjectId: user.id, payload: { ...payload } };
  const { mail, row } = makeMailedCode(ctx, PASSKEY_PURPOSE, of, await readCodeLifetime(ctx, "passkey"));
  const link = `${ctx.config.baseUrl}${mail.path}`;
  const token = new URL(link).searchParams.get("token") ?? "";
  const { toMail } = mailFor(ctx, user, { ...mail, code: token }, delivery, row.digest);
  const messages = toMail ? passkeyInvitation(ctx, user, { ...toMail, code: mail.code }) : [];
  const request = { type: "user.passkey.link_requested", payload: { isMailed }, messages } as const;
  const details = await storeCode(ctx, user, [row], request);
  return { link, id: row.digest, token, expiresAt: row.expiresAt, details };
}
