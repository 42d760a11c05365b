/**
 * The instance must keep an owner. Without an owner who can sign in, only someone with access to the machine could
 * create another one.
 */

import type { TransactionContext } from "../../events/record";
import { type ApiError, failedPrecondition } from "../../protocol/api-error";
import { lockInstanceRow } from "../../storage/instance/instance";
import { readActiveOwners } from "../../storage/member/membership";

/**
 * Returns an error if no owner of the instance would remain without these users. Locks the instance for the
 * transaction.
 */
export async function checkOwnerLeft(
  ctx: TransactionContext,
  leaving: { userId: string } | { organizationId: string },
): Promise<ApiError | undefined> {
  const instance = await lockInstanceRow(ctx.db, ctx.tx);
  const owners = instance ? await readActiveOwners(ctx.tx, instance.id) : [];
  const leaves = (owner: { userId: string; organizationId: string }) =>
    "userId" in leaving ? owner.userId === leaving.userId : owner.organizationId === leaving.organizationId;
  if (owners.length === 0 || !owners.every(leaves)) return undefined;
  return failedPrecondition(
    "instance.last_owner",
    "No one would be left who owns the instance. Give someone else the role IAM_OWNER first.",
  );
}
