/** Which users an identity provider may sign in. */
import type { Context } from "../../context";
import { findInstance } from "../instance";
import { checkPrivilegesOver } from "../member/privileges";
import { type IdentityProvider, listOfferedProviders } from "./identity-provider";

/**
 * Returns whether a provider may sign in a user: the service or the user's organization owns it, the policy of that
 * organization offers it, and who is answerable for it has the user's permissions.
 */
export async function mayBeSignedInBy(
  ctx: Context,
  { id, ownerId, changedBy }: IdentityProvider,
  user: { id: string; organizationId: string },
): Promise<boolean> {
  if (ownerId !== user.organizationId && ownerId !== (await findInstance(ctx)).id) return false;
  const offered = await listOfferedProviders(ctx, user.organizationId);
  if (!offered.some((one) => one.id === id)) return false;
  const isCovered = changedBy === null || changedBy.startsWith(":") || changedBy === user.id;
  return isCovered || (await checkPrivilegesOver(ctx, changedBy, user.id)) === undefined;
}
