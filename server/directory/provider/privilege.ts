/**
 * Who may set the provider that codes pass: whoever owns the server reads them, so their permissions must cover those of
 * everybody who gets messages by it (SECURITY.md, "Messages that open accounts").
 */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import { checkPrivilegesOverAll, checkPrivilegesOverEverybody } from "../member/privileges";
import type { ProviderOwner } from "./channel";

/** The refusal if the caller may not. */
export function checkPrivilegeOverMessages(
  ctx: Context,
  callerId: string,
  { level, ownerId }: ProviderOwner,
): Promise<ApiError | undefined> {
  return level === "instance"
    ? checkPrivilegesOverEverybody(ctx, callerId)
    : checkPrivilegesOverAll(ctx, callerId, ownerId);
}
