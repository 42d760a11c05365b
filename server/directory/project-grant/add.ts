/** Granting a project to another organization. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, alreadyExists, failedPrecondition, invalidArgument } from "../../protocol/api-error";
import { findActiveOrganizations } from "../../storage/organization/organization";
import { readProjectGrants } from "../../storage/project/project-grants";
import { onUniqueViolation } from "../change";
import { changeInProject, type ProjectRef } from "../change-project";
import { noSuchOrganization } from "../not-found";
import { checkRoles } from "../user-grant/check-roles";
import { addProjectGrantIn, MAX_PROJECT_GRANTS } from "./project-grant";

export interface WantedProjectGrant {
  grantedOrganizationId: string;
  roleKeys: readonly string[];
}

/**
 * An inactive organization is refused like one that does not exist.
 * @returns the new grant's id
 */
export function addProjectGrant(
  ctx: Context,
  ref: ProjectRef,
  wanted: WantedProjectGrant,
  origin: Origin,
): Promise<string | ApiError> {
  const { grantedOrganizationId, roleKeys } = wanted;
  return onUniqueViolation(alreadyGranted, async () => {
    const [found] = await findActiveOrganizations(ctx.db, { id: grantedOrganizationId });
    return changeInProject(ctx, ref, async (tx, project) => {
      if (grantedOrganizationId === project.organizationId) return ownOrganization();
      if (found === undefined) return noSuchOrganization();
      const grants = await readProjectGrants(tx, project.id);
      if (grants.some((grant) => grant.grantedOrganizationId === grantedOrganizationId)) return alreadyGranted();
      if (grants.length >= MAX_PROJECT_GRANTS) return tooMany();
      const refusal = await checkRoles(tx, project.id, roleKeys);
      return refusal ?? addProjectGrantIn(ctx, tx, project, wanted, origin);
    });
  });
}

const alreadyGranted = (): ApiError =>
  alreadyExists(
    "project_grant.already_exists",
    "The project is granted to this organization already. Change that grant.",
    { field: "grantedOrgId" },
  );
const ownOrganization = (): ApiError =>
  invalidArgument(
    "project_grant.own_organization",
    "The project belongs to this organization, which has all its roles. Name another organization.",
    { field: "grantedOrgId" },
  );
const tooMany = (): ApiError =>
  failedPrecondition(
    "project_grant.too_many",
    `A project is granted to ${MAX_PROJECT_GRANTS} organizations at most: remove a grant.`,
  );
