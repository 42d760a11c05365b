/**
 * Who may set the mail server that codes pass: whoever owns the server reads them, so their permissions must cover those
 * of everybody who gets mails by it (SECURITY.md, "Messages that open accounts").
 */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import { checkPrivilegesOverAll, checkPrivilegesOverEverybody } from "../member/privileges";
import type { ProviderOwner } from "./provider";

/** The refusal if the caller may not. */
export function checkPowerOverMail(
  ctx: Context,
  callerId: string,
  { level, ownerId }: ProviderOwner,
): Promise<ApiError | undefined> {
  return level === "instance"
    ? checkPrivilegesOverEverybody(ctx, callerId)
    : checkPrivilegesOverAll(ctx, callerId, ownerId);
}
