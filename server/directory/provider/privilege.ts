/**
 * The permissions required to set the provider through which codes pass. The operator of its server can read the codes,
 * so the caller's permissions must cover those of all users who get messages through it (SECURITY.md, "Messages that
 * open accounts").
 */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import { checkPrivilegesOverAll, checkPrivilegesOverEverybody } from "../member/privileges";
import type { ProviderOwner } from "./channel";

/** Returns an error if the caller may not set the owner's providers. */
export function checkPrivilegeOverMessages(
  ctx: Context,
  callerId: string,
  { level, ownerId }: ProviderOwner,
): Promise<ApiError | undefined> {
  return level === "instance"
    ? checkPrivilegesOverEverybody(ctx, callerId)
    : checkPrivilegesOverAll(ctx, callerId, ownerId);
}
