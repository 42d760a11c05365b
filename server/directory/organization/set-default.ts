/** Makes an organization the default one, in which login names without a domain are looked up first. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { readOrganization } from "../../storage/organization/organization";
import { changeDirectory } from "../change";
import { changeInstance, findInstance } from "../instance";
import { noSuchOrganization } from "../not-found";

/**
 * Sets the default organization.
 * @returns the id of the instance, which has the setting
 */
export async function setDefaultOrganization(
  ctx: Context,
  defaultOrganizationId: string,
  origin: Origin,
): Promise<{ instanceId: string } | ApiError> {
  const instance = await findInstance(ctx);
  return changeDirectory(ctx, async (tx) => {
    if (!(await readOrganization(tx, defaultOrganizationId))) return noSuchOrganization();
    await changeInstance(ctx, tx, instance, { defaultOrganizationId }, origin);
    return { instanceId: instance.id };
  });
}
