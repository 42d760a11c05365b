/** What a page says of the last wish for another mail. */
import type { Context } from "../../context";
import { RESEND_AFTER } from "../../login/forgot-password";
import type { MailedFlow, ResendNote } from "../../oidc/flow";

/** Undefined where nobody asked, and where it is true no longer. */
export function resendNote(
  ctx: Context,
  { note, sentAt }: Pick<MailedFlow, "note" | "sentAt">,
): ResendNote | undefined {
  return note === "too-soon" && ctx.clock() - sentAt >= RESEND_AFTER ? undefined : note;
}
