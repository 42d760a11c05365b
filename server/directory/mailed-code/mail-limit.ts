/** How many mails an administrator may cause to one address: they must not flood an inbox either. */
import type { Context } from "../../context";
import { type ApiError, resourceExhausted } from "../../protocol/api-error";
import { counter, countFailures, limits } from "../../throttle";
import { comparableLoginName } from "../names";

/** Counts a mail to an address; the refusal if there were too many. */
export async function countMailTo(ctx: Context, email: string): Promise<ApiError | undefined> {
  const blockedUntil = await countFailures(ctx, [counter(limits.mailsTo, comparableLoginName(email))]);
  if (blockedUntil === undefined) return undefined;
  return resourceExhausted("mail.too_many", "That address was sent enough mails for now. Try again in an hour.");
}
