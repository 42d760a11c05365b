/** The note of a page about the last request for another mail. */
import type { Context } from "../../context";
import { RESEND_AFTER } from "../../login/forgot-password";
import type { MailedFlow } from "../../oidc/flow";
import type { ResendNote } from "../../oidc/proven";

/** Returns the note; undefined if there was no request, or if it no longer applies. */
export function resendNote(
  ctx: Context,
  { note, sentAt }: Pick<MailedFlow, "note" | "sentAt">,
): ResendNote | undefined {
  return note === "too-soon" && ctx.clock() - sentAt >= RESEND_AFTER ? undefined : note;
}
