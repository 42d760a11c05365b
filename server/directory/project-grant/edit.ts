/** Grants a project to another organization, changes and removes the grant. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, alreadyExists, failedPrecondition, invalidArgument } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
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

/** Sets the roles; those that the grant loses are taken from all users who have them by it. */
export function changeProjectGrant(
  ctx: Context,
  ref: ProjectGrantRef,
  { roleKeys }: { roleKeys: readonly string[] },
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (tx, project, stored) => {
    const wanted = [...new Set(roleKeys)];
    const refusal = await checkRoles(tx, project.id, wanted);
    if (refusal) return refusal;
    await changeProjectGrantIn(ctx, tx, project, stored, { roleKeys: wanted }, origin);
    return undefined;
  });
}

/** While a grant is inactive, roles that users have by it do not count. */
export function setProjectGrantState(
  ctx: Context,
  ref: ProjectGrantRef,
  state: ProjectGrantState,
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (tx, project, stored) => {
    if (stored.state === state) {
      return failedPrecondition(`project_grant.already_${state}`, `The grant is ${state} already.`);
    }
    await changeProjectGrantIn(ctx, tx, project, stored, { state }, origin);
    return undefined;
  });
}

/** Removes the grant, and the roles that users have by it. */
export function removeProjectGrant(ctx: Context, ref: ProjectGrantRef, origin: Origin): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (tx, project, stored) => {
    await removeProjectGrantIn(ctx, tx, project, stored, origin);
    return undefined;
  });
}

function changeGrant(
  ctx: Context,
  ref: ProjectGrantRef,
  work: (tx: Transaction, project: OwnedProject, stored: ProjectGrantRow) => Promise<undefined | ApiError>,
): Promise<undefined | ApiError> {
  return changeInProject(ctx, ref, async (tx, project) => {
    const stored = await readProjectGrant(tx, { projectId: project.id, id: ref.grantId });
    return stored ? work(tx, project, stored) : noSuchProjectGrant();
  });
}
