/** Adds an organization together with its first manager, who gets the usual mail for new users. */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { findInstance } from "../instance";
import { addMembership } from "../member/membership";
import { checkPrivilegesToGive } from "../member/privileges";
import type { ORGANIZATION_ROLES } from "../member/roles";
import { addPersonWithMail, type PersonToAdd } from "../user/add-person";
import { addOrganizationWithDomain, type NewOrganization } from "./organization";

export interface OrganizationToSetUp {
  organization: NewOrganization;
  manager: Omit<PersonToAdd, "organizationId">;
  roles: readonly (typeof ORGANIZATION_ROLES)[number][];
}

/**
 * Adds an organization and its first manager. If the manager cannot be added, the organization is not created either.
 * @param origin.actor the caller, who must be allowed to give the roles
 */
export async function setUpOrganization(
  ctx: Context,
  { organization, manager, roles }: OrganizationToSetUp,
  origin: Origin,
): Promise<{ orgId: string; userId: string } | ApiError> {
  const { id: instanceId } = await findInstance(ctx);
  const organizationId = organization.id ?? newId();
  // No user has a role on the new organization yet, so roles on the instance decide.
  const refusal = await checkPrivilegesToGive(ctx, origin.actor, roles, {});
  if (refusal) return refusal;
  const added = await addPersonWithMail(ctx, { ...manager, organizationId }, { delivery: "send" }, origin, {
    async before(tx) {
      const made = await addOrganizationWithDomain(ctx, tx, { ...organization, id: organizationId }, origin);
      return isApiError(made) ? made : undefined;
    },
    async after(tx, userId) {
      for (const role of new Set(roles)) {
        await addMembership(ctx, tx, { userId, role, instanceId, organizationId }, origin);
      }
    },
  });
  return isApiError(added) ? added : { orgId: organizationId, userId: added.id };
}
