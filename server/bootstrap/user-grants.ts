/** Applies grants of projects, roles of users in projects, and metadata of users, from the bootstrap file. */

import { addMemberRole, type OwnedLevelRef } from "../directory/member/membership";
import { type MetadataOwner, setMetadataIn } from "../directory/metadata";
import { comparableLoginName } from "../directory/names";
import { addProjectGrantIn, changeProjectGrantIn } from "../directory/project-grant/project-grant";
import { findUnknownRole } from "../directory/user-grant/check-roles";
import { addUserGrantIn, changeUserGrantIn } from "../directory/user-grant/user-grant";
import { reason } from "../protocol/reason";
import { readRolesAt } from "../storage/member/list";
import { readOrganization } from "../storage/organization/organization";
import { readProjectGrants } from "../storage/project/project-grants";
import { readLoginNameOwner, readUser } from "../storage/user/user";
import { readUserGrant } from "../storage/user-grant/user-grant";
import { failAt } from "./mistakes";
import type { Run } from "./run";
import type { GrantMemberEntry, PersonEntry, ProjectEntry, UserGrantEntry } from "./schema";

interface Owner {
  projectId: string;
  /** The owner of the project, which grants the roles. */
  organizationId: string;
}

/** A grant that is inactive stays inactive. */
export async function applyProjectGrants(run: Run, owner: Owner, entry: ProjectEntry, path: string): Promise<void> {
  if (!entry.grants?.length) return;
  const { ctx, report } = run;
  const project = { id: owner.projectId, organizationId: owner.organizationId };
  const grants = await readProjectGrants(ctx.tx, project.id);
  for (const [index, { grantedOrgId: grantedOrganizationId, roleKeys, members }] of entry.grants.entries()) {
    const at = `${path}.grants[${index}]`;
    const unknown = await findUnknownRole(ctx.tx, project.id, roleKeys ?? []);
    if (unknown !== undefined) failAt(`${at}.roleKeys[${unknown}]`, reason("project_role"));
    const isOther =
      grantedOrganizationId !== project.organizationId && (await readOrganization(ctx.tx, grantedOrganizationId));
    if (!isOther) failAt(`${at}.grantedOrgId`, reason("no_other_organization"));
    const stored = grants.find((grant) => grant.grantedOrganizationId === grantedOrganizationId);
    const name = `grant of project ${entry.name} to organization ${grantedOrganizationId}`;
    const wanted = { roleKeys: roleKeys && [...new Set(roleKeys)] };
    if (!stored) report.created.push(name);
    else if (await changeProjectGrantIn(ctx, project, stored, wanted)) report.updated.push(name);
    const grant = { grantedOrganizationId, roleKeys: roleKeys ?? [] };
    const levelId = stored?.id ?? (await addProjectGrantIn(ctx, project, grant));
    const level = { level: "project_grant", levelId, resourceOwner: grantedOrganizationId, projectId: project.id };
    await applyGrantMembers(run, level as OwnedLevelRef, members, name, `${at}.members`);
  }
}

/** Gives the roles that the users lack. */
async function applyGrantMembers(
  run: Run,
  level: OwnedLevelRef,
  members: readonly GrantMemberEntry[] = [],
  grant: string,
  path: string,
): Promise<void> {
  for (const [index, member] of members.entries()) {
    const user = await findUser(run, member, `${path}[${index}]`);
    const held = await readRolesAt(run.ctx.tx, level, user.id);
    for (const role of new Set<string>(member.roles)) {
      if (held.some((one) => one.role === role)) continue;
      await addMemberRole(run.ctx, level, { userId: user.id, role });
      run.report.created.push(`${role} of ${user.userName} on ${grant}`);
    }
  }
}

export async function applyUserGrants(run: Run, owner: Owner, entry: ProjectEntry, path: string): Promise<void> {
  if (!entry.userGrants?.length) return;
  const { ctx, report } = run;
  for (const [index, grant] of entry.userGrants.entries()) {
    const at = `${path}.userGrants[${index}]`;
    const unknown = await findUnknownRole(ctx.tx, owner.projectId, grant.roleKeys);
    if (unknown !== undefined) failAt(`${at}.roleKeys[${unknown}]`, reason("project_role"));
    const user = await findUser(run, grant, at);
    const stored = await readUserGrant(ctx.tx, { userId: user.id, ...owner });
    const name = `roles of ${user.userName} in project ${entry.name}`;
    const { roleKeys } = grant;
    if (!stored) {
      await addUserGrantIn(ctx, user, { ...owner, roleKeys });
      report.created.push(name);
    } else if (await changeUserGrantIn(ctx, user, stored, { roleKeys: [...new Set(roleKeys)] })) {
      report.updated.push(name);
    }
  }
}

async function findUser(run: Run, { userId, loginName }: Pick<UserGrantEntry, "userId" | "loginName">, path: string) {
  const id = userId ?? (await readLoginNameOwner(run.ctx.tx, comparableLoginName(loginName ?? "")));
  const user = id === undefined ? undefined : await readUser(run.ctx.tx, id);
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
    if (await setMetadataIn(run.ctx, owner, { key, value })) {
      run.report.updated.push(`metadata ${key} of ${named}`);
    }
  }
}
