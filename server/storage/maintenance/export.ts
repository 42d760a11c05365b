/** Rows for an export: active ones, by id, in chunks. */
import type { Database } from "../database";
import type { Prisma } from "../generated/sqlite/client";

/** Rows read at once. */
const CHUNK = 500;
const ACTIVE = { state: "active" } as const;
const after = (last: string | undefined) => (last === undefined ? {} : { id: { gt: last } });
const byId = { orderBy: { id: "asc" }, take: CHUNK } as const;

/** All rows, read in chunks by id. */
async function* inChunks<Row extends { id: string }>(
  read: (last: string | undefined) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let last: string | undefined;
  do {
    const rows = await read(last);
    yield* rows;
    last = rows.length < CHUNK ? undefined : rows.at(-1)?.id;
  } while (last !== undefined);
}

export const exportedOrganizations = ({ prisma }: Database) =>
  inChunks((last) =>
    prisma.organization.findMany({
      where: { ...ACTIVE, ...after(last) },
      include: {
        domains: { orderBy: { domain: "asc" } },
        clientDecisions: { orderBy: { id: "asc" } },
        metadata: { orderBy: { key: "asc" } },
        passwordHook: { select: { endpoint: true } },
      },
      ...byId,
    }),
  );

export type ExportedDecision = Prisma.ClientDecisionGetPayload<object>;

const userParts = {
  machineKeys: { orderBy: { id: "asc" } },
  memberships: { orderBy: { role: "asc" } },
  metadata: { orderBy: { key: "asc" } },
  identityLinks: { orderBy: [{ providerId: "asc" }, { externalId: "asc" }] },
} as const satisfies Prisma.UserInclude;
export type ExportedUser = Prisma.UserGetPayload<{ include: typeof userParts }>;

export const exportedUsers = (
  { prisma }: Database,
  organizationId: string,
  kind: "human" | "machine",
): AsyncGenerator<ExportedUser> =>
  inChunks((last) =>
    prisma.user.findMany({ where: { organizationId, kind, ...ACTIVE, ...after(last) }, include: userParts, ...byId }),
  );

const projectParts = {
  roles: { orderBy: { roleKey: "asc" } },
  resources: { orderBy: [{ createdAt: "asc" }, { key: "asc" }] },
  grants: { where: { ...ACTIVE, grantedOrganization: ACTIVE }, orderBy: { id: "asc" } },
  apps: { where: ACTIVE, orderBy: { id: "asc" }, include: { keys: { orderBy: { id: "asc" } } } },
} as const satisfies Prisma.ProjectInclude;
export type ExportedProject = Prisma.ProjectGetPayload<{ include: typeof projectParts }>;
export type ExportedApp = ExportedProject["apps"][number];

export const exportedProjects = ({ prisma }: Database, organizationId: string): AsyncGenerator<ExportedProject> =>
  inChunks((last) =>
    prisma.project.findMany({
      where: { organizationId, ...ACTIVE, ...after(last) },
      include: projectParts,
      ...byId,
    }),
  );

/** Only of users and organizations that are exported too. */
export const exportedGrants = ({ prisma }: Database, projectId: string, organizationId: string) =>
  inChunks((last) =>
    prisma.userGrant.findMany({
      where: {
        projectId,
        organizationId,
        ...ACTIVE,
        ...after(last),
        user: { ...ACTIVE, organization: ACTIVE },
      },
      ...byId,
    }),
  );

/** The managers of grants, with their roles; only users who are exported too. */
export async function exportedGrantMembers(
  { prisma }: Database,
  grantIds: string[],
): Promise<Map<string, Map<string, string[]>>> {
  const found = new Map<string, Map<string, string[]>>();
  if (grantIds.length === 0) return found;
  const rows = await prisma.membership.findMany({
    where: { level: "project_grant", levelId: { in: grantIds }, user: { ...ACTIVE, organization: ACTIVE } },
    orderBy: [{ userId: "asc" }, { role: "asc" }],
  });
  for (const { levelId, userId, role } of rows) {
    const members = found.get(levelId) ?? new Map<string, string[]>();
    members.set(userId, [...(members.get(userId) ?? []), role]);
    found.set(levelId, members);
  }
  return found;
}
