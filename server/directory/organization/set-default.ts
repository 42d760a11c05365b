/** Making an organization the default one, in which bare login names are looked up first. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { readOrganization } from "../../storage/organizations";
import { changeDirectory } from "../change";
import { changeInstance, findInstance } from "../instance";
import { noSuchOrganization } from "../not-found";

/** @returns the id of the instance, whose setting it is */
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
