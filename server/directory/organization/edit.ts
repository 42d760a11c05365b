/** Changes organizations, and adds one together with its first manager. */
import { newId } from "../../crypto/random";
import type { OriginContext } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { readOrganization } from "../../storage/organization/organization";
import { changeDirectory } from "../change";
import { changeInstance, findInstance } from "../instance";
import { addMembership } from "../member/membership";
import { checkPrivilegesToGive } from "../member/privileges";
import type { ORGANIZATION_ROLES } from "../member/roles";
import { noSuchOrganization } from "../not-found";
import { addPersonWithMail, type PersonToAdd } from "../user/add-person";
import { addOrganizationWithDomain, changeOrganization, type NewOrganization } from "./organization";

/**
 * Updates an organization; omitted fields are kept.
 * @returns whether anything changed
 */
export function updateOrganization(
  ctx: OriginContext,
  id: string,
  wanted: { name?: string; defaultLanguage?: string | null },
): Promise<boolean | ApiError> {
  return changeDirectory(ctx, async (ctx) => {
    const stored = await readOrganization(ctx.tx, id);
    return stored ? changeOrganization(ctx, stored, wanted) : noSuchOrganization();
  });
}

/**
 * Sets the default organization.
 * @returns the id of the instance, which has the setting
 */
export async function setDefaultOrganization(
  ctx: OriginContext,
  defaultOrganizationId: string,
): Promise<{ instanceId: string } | ApiError> {
  const instance = await findInstance(ctx);
  return changeDirectory(ctx, async (ctx) => {
    if (!(await readOrganization(ctx.tx, defaultOrganizationId))) return noSuchOrganization();
    await changeInstance(ctx, instance, { defaultOrganizationId });
    return { instanceId: instance.id };
  });
}

export interface OrganizationToSetUp {
  organization: NewOrganization;
  manager: Omit<PersonToAdd, "organizationId">;
  roles: readonly (typeof ORGANIZATION_ROLES)[number][];
}

/**
 * Adds an organization and its first manager. If the manager cannot be added, the organization is not created either.
 * @param ctx its actor must be allowed to give the roles
 */
export async function setUpOrganization(
  ctx: OriginContext,
  { organization, manager, roles }: OrganizationToSetUp,
): Promise<{ orgId: string; userId: string } | ApiError> {
  const { id: instanceId } = await findInstance(ctx);
  const organizationId = organization.id ?? newId();
  // No user has a role on the new organization yet, so roles on the instance decide.
  const refusal = await checkPrivilegesToGive(ctx, ctx.origin.actor, roles, { level: "organization", scope: {} });
  if (refusal) return refusal;
  const added = await addPersonWithMail(
    ctx,
    { ...manager, organizationId },
    { delivery: "send" },
    {
      async before(ctx) {
        const made = await addOrganizationWithDomain(ctx, { ...organization, id: organizationId });
        return isApiError(made) ? made : undefined;
      },
      async after(ctx, userId) {
        for (const role of new Set(roles)) {
          await addMembership(ctx, { userId, role, instanceId, organizationId });
        }
      },
    },
  );
  return isApiError(added) ? added : { orgId: organizationId, userId: added.id };
}
