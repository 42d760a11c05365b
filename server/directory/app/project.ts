/** Projects: they own apps and the roles an app's users may have. */
import type { Context } from "../../context";
import { difference } from "../../events/difference";
import { type Origin, recordIn } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import {
  endTokensOf,
  insertProject,
  insertProjectRole,
  type ProjectRoleRow,
  type ProjectRow,
  readClientIds,
  updateProject,
  updateProjectRole,
} from "../../storage/apps";
import type { Transaction } from "../../storage/database";
import { deleteProject, deleteProjectRole } from "../../storage/projects";
import { readGrantsWithRole } from "../../storage/user-grants";
import { claimClientIdentifier, claimId } from "../identifiers";
import { addRole } from "../member/membership";
import { changeUserGrantIn } from "../user-grant/user-grant";

/** A project's rules about its users, by their names in the management API. */
export interface ProjectSettings {
  /** Role claims even where no scope asks for them. */
  projectRoleAssertion?: boolean;
  /** Only users with a grant of this project may sign in to its apps. */
  projectRoleCheck?: boolean;
  /** Only users of the organization that owns the project may sign in to its apps. */
  hasProjectCheck?: boolean;
}

export async function addProject(
  ctx: Context,
  tx: Transaction,
  project: ProjectSettings & { id?: string; organizationId: string; name: string },
  origin: Origin,
): Promise<string | ApiError> {
  const { organizationId, name } = project;
  const id = await claimId(ctx, tx, { kind: "project", id: project.id, organizationId, origin });
  if (isApiError(id)) return id;
  const refusal = await claimClientIdentifier(ctx, tx, { kind: "project", name: id, organizationId, origin });
  if (refusal) return refusal;
  const { projectRoleAssertion = false, projectRoleCheck = false, hasProjectCheck = false } = project;
  const settings = { projectRoleAssertion, projectRoleCheck, hasProjectCheck };
  await recordIn(ctx, tx, {
    type: "project.added",
    aggregateId: id,
    resourceOwner: organizationId,
    origin,
    async state(_, now) {
      await insertProject(tx, { id, organizationId, name, ...settings, state: "active", createdAt: new Date(now) });
      return { payload: { name, ...settings } };
    },
  });
  return id;
}

/** @returns whether anything changed */
export async function changeProject(
  ctx: Context,
  tx: Transaction,
  stored: ProjectRow,
  wanted: ProjectSettings & { name?: string },
  origin: Origin,
): Promise<boolean> {
  const changes = difference<ProjectSettings & { name?: string }>(stored, wanted);
  if (!changes) return false;
  await recordIn(ctx, tx, {
    type: "project.changed",
    aggregateId: stored.id,
    resourceOwner: stored.organizationId,
    origin,
    async state() {
      await updateProject(tx, stored.id, changes.data);
      return { payload: changes.payload };
    },
  });
  return true;
}

/** Activates or deactivates a project: its apps and roles work only while it is active. */
export async function setProjectState(
  ctx: Context,
  tx: Transaction,
  stored: ProjectRow,
  state: "active" | "inactive",
  origin: Origin,
): Promise<void> {
  await recordIn(ctx, tx, {
    type: state === "active" ? "project.reactivated" : "project.deactivated",
    aggregateId: stored.id,
    resourceOwner: stored.organizationId,
    origin,
    async state() {
      await updateProject(tx, stored.id, { state });
      return {};
    },
  });
}

/** Removes a project with its apps, its roles and their grants. */
export async function removeProject(ctx: Context, tx: Transaction, stored: ProjectRow, origin: Origin): Promise<void> {
  await recordIn(ctx, tx, {
    type: "project.removed",
    aggregateId: stored.id,
    resourceOwner: stored.organizationId,
    origin,
    async state(_, now) {
      await endTokensOf(tx, await readClientIds(tx, { projectId: stored.id }), now);
      await deleteProject(tx, stored.id);
      return { payload: { name: stored.name } };
    },
  });
}

/** Makes somebody the owner of a new project. */
export async function addProjectOwner(
  ctx: Context,
  tx: Transaction,
  project: { id: string; organizationId: string },
  userId: string,
  origin: Origin,
): Promise<void> {
  const place = { level: "project", levelId: project.id, resourceOwner: project.organizationId } as const;
  await addRole(ctx, tx, place, { userId, role: "PROJECT_OWNER" }, origin);
}

export interface ProjectRoleFields {
  displayName?: string;
  group?: string | null;
}

export async function addProjectRole(
  ctx: Context,
  tx: Transaction,
  project: { id: string; organizationId: string },
  role: ProjectRoleFields & { roleKey: string },
  origin: Origin,
): Promise<void> {
  const { roleKey, displayName = roleKey, group = null } = role;
  await recordIn(ctx, tx, {
    type: "project.role.added",
    aggregateId: project.id,
    resourceOwner: project.organizationId,
    origin,
    async state(_, now) {
      await insertProjectRole(tx, { projectId: project.id, roleKey, displayName, group, createdAt: new Date(now) });
      return { payload: { roleKey, displayName, group } };
    },
  });
}

/** @returns whether anything changed */
export async function changeProjectRole(
  ctx: Context,
  tx: Transaction,
  project: { id: string; organizationId: string },
  stored: ProjectRoleRow,
  wanted: ProjectRoleFields,
  origin: Origin,
): Promise<boolean> {
  const changes = difference(stored, wanted);
  if (!changes) return false;
  await recordIn(ctx, tx, {
    type: "project.role.changed",
    aggregateId: project.id,
    resourceOwner: project.organizationId,
    origin,
    async state() {
      await updateProjectRole(tx, project.id, stored.roleKey, changes.data);
      return { payload: { roleKey: stored.roleKey, ...changes.payload } };
    },
  });
  return true;
}

/** Removes a role and takes it from everybody who has it, since a later role with the same key is another one. */
export async function removeProjectRole(
  ctx: Context,
  tx: Transaction,
  project: { id: string; organizationId: string },
  roleKey: string,
  origin: Origin,
): Promise<void> {
  for (const { user, ...grant } of await readGrantsWithRole(ctx.db, tx, project.id, roleKey)) {
    const roleKeys = (grant.roleKeys as string[]).filter((key) => key !== roleKey);
    await changeUserGrantIn(ctx, tx, user, grant, { roleKeys }, origin);
  }
  await recordIn(ctx, tx, {
    type: "project.role.removed",
    aggregateId: project.id,
    resourceOwner: project.organizationId,
    origin,
    async state() {
      await deleteProjectRole(tx, project.id, roleKey);
      return { payload: { roleKey } };
    },
  });
}
