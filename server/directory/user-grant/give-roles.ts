/** Gives a user further roles of a project, whether or not the user has some already. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { readUser } from "../../storage/user/user";
import { readUserGrant } from "../../storage/user-grant/user-grant";
import { changeInProject } from "../change-project";
import { noSuchProject } from "../not-found";
import { addUserGrant, type WantedGrant } from "./add";
import { isManaged, type ManagedGrants } from "./change";
import { checkRoles } from "./check-roles";
import { changeUserGrantIn } from "./user-grant";

/** Adds the roles to those that the organization has given; an inactive grant stays inactive. */
export async function giveRoles(
  ctx: Context,
  managed: ManagedGrants,
  wanted: WantedGrant,
  origin: Origin,
): Promise<undefined | ApiError> {
  const added = await addUserGrant(ctx, managed, wanted, origin);
  if (typeof added === "string") return undefined;
  if (added.id !== "user_grant.already_exists") return added;
  const { organizationId } = managed;
  const { userId, projectId, roleKeys } = wanted;
  if (!isManaged(managed, projectId)) return noSuchProject();
  return changeInProject(ctx, { organizationId, projectId }, async (tx) => {
    const [stored, user] = [await readUserGrant(tx, { userId, projectId, organizationId }), await readUser(tx, userId)];
    if (!stored || !user) return added; // removed meanwhile
    const refusal = await checkRoles(tx, projectId, roleKeys);
    if (refusal) return refusal;
    const all = [...new Set([...(stored.roleKeys as string[]), ...roleKeys])];
    await changeUserGrantIn(ctx, tx, user, stored, { roleKeys: all }, origin);
    return undefined;
  });
}
