/** Gives users their roles after they were imported, as the bootstrap file does. */
import type { Context } from "../../context";
import { comparableLoginName } from "../../directory/names";
import { readProjectRoles, readProjectsByName } from "../../storage/project/project";
import { readUsers, type UserRow } from "../../storage/user/user";
import { applyDraft } from "./apply-base";
import { newPace, paced } from "./pace";
import type { Exported } from "./sources/found";
import type { Home, Survey } from "./survey";

type Grant = Extract<Exported, { kind: "user grant" }>;
type Homes = ReadonlyMap<string, Home | undefined>;

/** Returns the users with these ids, by id. */
export async function readStoredUsers(ctx: Context, ids: readonly string[]): Promise<Map<string, UserRow>> {
  const wanted = [...new Set(ids)].map((id) => ({ id, userNameKey: comparableLoginName(id) }));
  return new Map((await readUsers(ctx.db.prisma, "", wanted)).map((user) => [user.id, user]));
}

/** Gives the roles of managers of organizations. @returns how many users have them */
export async function importMembers(ctx: Context, survey: Survey, homes: Homes, refused: string[]): Promise<number> {
  let given = 0;
  for (const [key, { members }] of survey.organizations) {
    const home = homes.get(key);
    if (!home || members.length === 0) continue;
    const users = await readStoredUsers(
      ctx,
      members.map(({ userId }) => userId),
    );
    const entries = members.flatMap(({ userId, roles }) => {
      const user = users.get(userId);
      if (user?.organizationId === home.id) return [{ kind: user.kind, id: userId, userName: user.userName, roles }];
      refused.push(`roles ${roles.join(", ")}: the organization ${home.name} has no user ${userId}`);
      return [];
    });
    const ofKind = (wanted: string) =>
      entries.flatMap(({ kind, ...entry }) => (kind === wanted ? [{ ...entry, roles: [...entry.roles] }] : []));
    const { id, name } = home;
    const draft = { organizations: [{ id, name, users: ofKind("human"), machines: ofKind("machine") }] };
    refused.push(...(await applyDraft(ctx, draft, { dryRun: false })).refused);
    given += entries.length;
  }
  return given;
}

/** Gives the roles of managers of project grants. @returns how many users have them */
export async function importGrantMembers(
  ctx: Context,
  survey: Survey,
  homes: Homes,
  refused: string[],
): Promise<number> {
  let given = 0;
  for (const { grant, userId, roles } of survey.grantMembers) {
    const { project: key = "", organization: grantedOrgId = "" } = survey.grants.get(grant) ?? {};
    const { organization = "", project } = survey.projects.get(key) ?? {};
    const home = homes.get(organization);
    if (!home || !project) {
      refused.push(`roles ${roles.join(", ")} of user ${userId}: the file does not contain the project grant ${grant}`);
      continue;
    }
    const { id, name } = project.entry;
    const grants = [{ grantedOrgId, members: [{ userId, roles: [...roles] }] }];
    const projects = [{ ...(id !== undefined && { id }), name, grants }];
    const draft = { organizations: [{ id: home.id, name: home.name, projects }] };
    const before = refused.length;
    refused.push(...(await applyDraft(ctx, draft, { dryRun: false })).refused);
    if (refused.length === before) given++;
  }
  return given;
}

/**
 * Gives users the roles of projects, in batches. Of projects that are granted to other organizations, users can have
 * two grants, one of them by the project grant: they are joined first, as they may be far apart in the file.
 * @returns how many grants there were
 */
export async function importGrants(
  ctx: Context,
  found: AsyncIterable<Exported>,
  survey: Survey,
  homes: Homes,
  refused: string[],
): Promise<number> {
  let given = 0;
  let batch: Grant[] = [];
  const pace = newPace();
  const add = async (grant: Grant) => {
    if (batch.push(grant) >= pace.size) await apply();
  };
  const apply = async () => {
    given += await paced(ctx, pace, batch.length, () => importGrantBatch(ctx, batch, survey, homes, refused));
    batch = [];
  };
  const granted = new Set([...survey.grants.values()].map(({ project }) => project));
  const joined = new Map<string, Grant>();
  for await (const one of found) {
    if (one.kind !== "user grant") continue;
    if (!granted.has(one.project)) {
      await add(one);
      continue;
    }
    const key = JSON.stringify([one.project, one.userId]);
    joined.set(key, { ...one, roleKeys: [...(joined.get(key)?.roleKeys ?? []), ...one.roleKeys] });
  }
  for (const grant of joined.values()) await add(grant);
  if (batch.length > 0) await apply();
  return given;
}

/** The roles of a project here: the file that has the users may lack them. Undefined if there is no such project. */
async function readRoleKeys(
  { db }: Context,
  { projects }: Survey,
  homes: Homes,
  key: string,
): Promise<ReadonlySet<string> | undefined> {
  const { organization, project } = projects.get(key) ?? {};
  const home = homes.get(organization ?? "");
  if (!project || !home) return undefined;
  const { id, name } = project.entry as { id?: string; name?: string };
  const [named] = id === undefined ? await readProjectsByName(db.prisma, home.id, name ?? "") : [{ id }];
  return named && new Set((await readProjectRoles(db.prisma, named.id)).map(({ roleKey }) => roleKey));
}

async function importGrantBatch(
  ctx: Context,
  grants: readonly Grant[],
  survey: Survey,
  homes: Homes,
  refused: string[],
): Promise<number> {
  const users = await readStoredUsers(
    ctx,
    grants.map(({ userId }) => userId),
  );
  const byProject = new Map<string, { userId: string; roleKeys: string[] }[]>();
  const rolesOf = new Map<string, ReadonlySet<string> | undefined>();
  let given = 0;
  for (const { project: key, userId, roleKeys } of grants) {
    if (!rolesOf.has(key)) rolesOf.set(key, await readRoleKeys(ctx, survey, homes, key));
    const known = rolesOf.get(key);
    const roles = roleKeys.filter((role) => known?.has(role));
    const of = `roles of user ${userId} in project ${key}`;
    if (!known) refused.push(`${of}: there is no such project`);
    else if (!users.has(userId)) refused.push(`${of}: the user was not imported`);
    else {
      if (roles.length < roleKeys.length) refused.push(`${of}: the project lacks some of ${roleKeys.join(", ")}`);
      byProject.set(key, [...(byProject.get(key) ?? []), { userId, roleKeys: [...new Set(roles)] }]);
      given++;
    }
  }
  for (const [key, userGrants] of byProject) {
    const { organization, project } = survey.projects.get(key) ?? {};
    const home = homes.get(organization ?? "");
    if (!home || !project) continue;
    const { id, name } = project.entry;
    const projects = [{ ...(id !== undefined && { id }), name, userGrants }];
    const draft = { organizations: [{ id: home.id, name: home.name, projects }] };
    refused.push(...(await applyDraft(ctx, draft, { dryRun: false })).refused);
  }
  return given;
}
