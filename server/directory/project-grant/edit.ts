/** Grants a project to another organization, changes and removes the grant. */
import type { ChangeContext, OriginContext } from "../../events/record";
import { type ApiError, alreadyExists, failedPrecondition, invalidArgument } from "../../protocol/api-error";
import { findActiveOrganizations } from "../../storage/organization/organization";
import {
  type ProjectGrantRow,
  type ProjectGrantState,
  readProjectGrant,
  readProjectGrants,
} from "../../storage/project/project-grants";
import { onUniqueViolation } from "../change";
import { changeInProject, type ProjectGrantRef, type ProjectRef } from "../change-project";
import { noSuchOrganization, noSuchProjectGrant } from "../not-found";
import { checkRoles } from "../user-grant/check-roles";
import {
  addProjectGrantIn,
  changeProjectGrantIn,
  MAX_PROJECT_GRANTS,
  type OwnedProject,
  removeProjectGrantIn,
} from "./project-grant";

export interface WantedProjectGrant {
  grantedOrganizationId: string;
  roleKeys: readonly string[];
}

/**
 * An inactive organization is refused like one that does not exist.
 * @returns the new grant's id
 */
export function addProjectGrant(
  ctx: OriginContext,
  ref: ProjectRef,
  wanted: WantedProjectGrant,
): Promise<string | ApiError> {
  const { grantedOrganizationId, roleKeys } = wanted;
  return onUniqueViolation(alreadyGranted, async () => {
    const [found] = await findActiveOrganizations(ctx.db, { id: grantedOrganizationId });
    return changeInProject(ctx, ref, async (ctx, project) => {
      if (grantedOrganizationId === project.organizationId) return ownOrganization();
      if (found === undefined) return noSuchOrganization();
      const grants = await readProjectGrants(ctx.tx, project.id);
      if (grants.some((grant) => grant.grantedOrganizationId === grantedOrganizationId)) return alreadyGranted();
      if (grants.length >= MAX_PROJECT_GRANTS) return tooMany();
      const refusal = await checkRoles(ctx.tx, project.id, roleKeys);
      return refusal ?? addProjectGrantIn(ctx, project, wanted);
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

/** Sets the roles; those that the grant loses are taken from all users who have them by it. */
export function changeProjectGrant(
  ctx: OriginContext,
  ref: ProjectGrantRef,
  { roleKeys }: { roleKeys: readonly string[] },
): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (ctx, project, stored) => {
    const wanted = [...new Set(roleKeys)];
    const refusal = await checkRoles(ctx.tx, project.id, wanted);
    if (refusal) return refusal;
    await changeProjectGrantIn(ctx, project, stored, { roleKeys: wanted });
    return undefined;
  });
}

/** While a grant is inactive, roles that users have by it do not count. */
export function setProjectGrantState(
  ctx: OriginContext,
  ref: ProjectGrantRef,
  state: ProjectGrantState,
): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (ctx, project, stored) => {
    if (stored.state === state) {
      return failedPrecondition(`project_grant.already_${state}`, `The grant is ${state} already.`);
    }
    await changeProjectGrantIn(ctx, project, stored, { state });
    return undefined;
  });
}

/** Removes the grant, and the roles that users have by it. */
export function removeProjectGrant(ctx: OriginContext, ref: ProjectGrantRef): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (ctx, project, stored) => {
    await removeProjectGrantIn(ctx, project, stored);
    return undefined;
  });
}

function changeGrant(
  ctx: OriginContext,
  ref: ProjectGrantRef,
  work: (ctx: ChangeContext, project: OwnedProject, stored: ProjectGrantRow) => Promise<undefined | ApiError>,
): Promise<undefined | ApiError> {
  return changeInProject(ctx, ref, async (ctx, project) => {
    const stored = await readProjectGrant(ctx.tx, { projectId: project.id, id: ref.grantId });
    return stored ? work(ctx, project, stored) : noSuchProjectGrant();
  });
}
