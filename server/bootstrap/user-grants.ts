/** Applies grants of projects, roles of users in projects, and metadata of users, from the bootstrap file. */

import { type MetadataOwner, setMetadataIn } from "../directory/metadata";
import { comparableLoginName } from "../directory/names";
import { addProjectGrantIn, changeProjectGrantIn } from "../directory/project-grant/project-grant";
import { findUnknownRole } from "../directory/user-grant/check-roles";
import { addUserGrantIn, changeUserGrantIn } from "../directory/user-grant/user-grant";
import { reason } from "../protocol/reason";
import { readOrganization } from "../storage/organization/organization";
import { readProjectGrants } from "../storage/project/project-grants";
import { readLoginNameOwner, readUser } from "../storage/user/user";
import { readUserGrant } from "../storage/user-grant/user-grant";
import { failAt } from "./mistakes";
import type { Run } from "./run";
import type { PersonEntry, ProjectEntry, UserGrantEntry } from "./schema";

interface Owner {
  projectId: string;
  /** The owner of the project, which grants the roles. */
  organizationId: string;
}

/** A grant that is inactive stays inactive. */
export async function applyProjectGrants(run: Run, owner: Owner, entry: ProjectEntry, path: string): Promise<void> {
  if (!entry.grants?.length) return;
  const { ctx, tx, report } = run;
  const project = { id: owner.projectId, organizationId: owner.organizationId };
  const grants = await readProjectGrants(tx, project.id);
  for (const [index, { grantedOrgId: grantedOrganizationId, roleKeys = [] }] of entry.grants.entries()) {
    const at = `${path}.grants[${index}]`;
    const unknown = await findUnknownRole(tx, project.id, roleKeys);
    if (unknown !== undefined) failAt(`${at}.roleKeys[${unknown}]`, reason("project_role"));
    const isOther =
      grantedOrganizationId !== project.organizationId && (await readOrganization(tx, grantedOrganizationId));
    if (!isOther) failAt(`${at}.grantedOrgId`, reason("no_other_organization"));
    const stored = grants.find((grant) => grant.grantedOrganizationId === grantedOrganizationId);
    const name = `grant of project ${entry.name} to organization ${grantedOrganizationId}`;
    if (!stored) {
      await addProjectGrantIn(ctx, tx, project, { grantedOrganizationId, roleKeys }, run.origin);
      report.created.push(name);
    } else if (await changeProjectGrantIn(ctx, tx, project, stored, { roleKeys: [...new Set(roleKeys)] }, run.origin)) {
      report.updated.push(name);
    }
  }
}

export async function applyUserGrants(run: Run, owner: Owner, entry: ProjectEntry, path: string): Promise<void> {
  if (!entry.userGrants?.length) return;
  const { ctx, tx, report } = run;
  for (const [index, grant] of entry.userGrants.entries()) {
    const at = `${path}.userGrants[${index}]`;
    const unknown = await findUnknownRole(tx, owner.projectId, grant.roleKeys);
    if (unknown !== undefined) failAt(`${at}.roleKeys[${unknown}]`, reason("project_role"));
    const user = await findUser(run, grant, at);
    const stored = await readUserGrant(tx, { userId: user.id, ...owner });
    const name = `roles of ${user.userName} in project ${entry.name}`;
    const { roleKeys } = grant;
    if (!stored) {
      await addUserGrantIn(ctx, tx, user, { ...owner, roleKeys }, run.origin);
      report.created.push(name);
    } else if (await changeUserGrantIn(ctx, tx, user, stored, { roleKeys: [...new Set(roleKeys)] }, run.origin)) {
      report.updated.push(name);
    }
  }
}

async function findUser(run: Run, { userId, loginName }: UserGrantEntry, path: string) {
  const id = userId ?? (await readLoginNameOwner(run.tx, comparableLoginName(loginName ?? "")));
  const user = id === undefined ? undefined : await readUser(run.tx, id);
  return user ?? failAt(`${path}.${userId === undefined ? "loginName" : "userId"}`, reason("no_user"));
}

/** @param named how the report names the owner */
export async function applyMetadata(
  run: Run,
  owner: MetadataOwner,
  named: string,
  metadata: PersonEntry["metadata"] = {},
): Promise<void> {
  for (const [key, text] of Object.entries(metadata)) {
    const value = Buffer.from(text).toString("base64url");
    if (await setMetadataIn(run.ctx, run.tx, owner, { key, value }, run.origin)) {
      run.report.updated.push(`metadata ${key} of ${named}`);
    }
  }
}
