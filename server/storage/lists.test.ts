import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { watched, wholeReads } from "../testing/plans";
import { type TestService, testService } from "../testing/test-context";
import { appsOf, countAppKeys, countApps, keysOfApp, listAppKeys, listApps, matchApps } from "./app/list";
import type { Database } from "./database";
import { countEventsByDay } from "./maintenance/statistics";
import { countMembers, listMembers, listMembersOn, matchMembers, membersOf, membersOn } from "./member/list";
import {
  countProjectRoles,
  countProjects,
  findProject,
  listProjectRoles,
  listProjects,
  projectsOf,
  rolesOfProject,
} from "./project/list";
import { activeSessions, countSessions, listSessions, matchSessions } from "./session/list";
import { countGrants, grantsOf, listGrants, matchGrants } from "./user-grant/list";

const reading = { after: undefined, offset: 0, limit: 10, descending: false };
const name = { match: "contains", ignoreCase: true, text: "shop" } as const;

const from = { sign: ">=", at: 1_700_000_000_000 } as const;
const ofUsers = {
  ...{ userIds: ["u-ada"], userOrganizationId: "acme", kind: "human" as const, email: name },
  ...{ userName: name, loginName: name, displayName: name, firstName: name, lastName: name },
};
const roleKey = { match: "starts", ignoreCase: true, text: "A" } as const;
const ofGrants = { ...ofUsers, ids: ["g"], projectGrantId: "pg", projectName: name, roleKey };

const level = { level: "organization", levelId: "acme" } as const;
const objects = [{ level: "organization", isEvery: false, organizationIds: ["acme"], levelIds: [] }] as const;
const members = () => {
  const where = membersOf(level);
  matchMembers(where, { ...ofUsers, role: "ORG_OWNER", created: from });
  return where;
};
const sessions = (wanted: Parameters<typeof matchSessions>[1]) => {
  const where = activeSessions(Date.now(), Date.now() - 3_600_000);
  matchSessions(where, wanted);
  return where;
};
const grants = (db: Database, wanted: Parameters<typeof matchGrants>[2]) => {
  const where = grantsOf("acme");
  matchGrants(db, where, wanted);
  return where;
};
const apps = (projectIds?: readonly string[]) => {
  const where = appsOf("acme", projectIds);
  matchApps(where, { name, state: "active" });
  return where;
};

const LISTS: readonly [what: string, read: (db: Database) => Promise<unknown>][] = [
  ["projects", (db) => listProjects(db, projectsOf("acme"), reading)],
  ["projects, a later page", (db) => listProjects(db, projectsOf("acme"), { ...reading, after: ["Shop", "p1"] })],
  ["some projects", (db) => listProjects(db, projectsOf("acme", ["p1", "p2"]), reading)],
  ["the number of projects", (db) => countProjects(db, projectsOf("acme"))],
  ["one project", (db) => findProject(db, "acme", "p1")],
  ["roles", (db) => listProjectRoles(db, rolesOfProject("p1"), reading)],
  ["the number of roles", (db) => countProjectRoles(db, rolesOfProject("p1"))],
  ["apps of a project", (db) => listApps(db, apps(["p1"]), { ...reading, descending: true })],
  ["apps of an organization", (db) => listApps(db, apps(), reading)],
  ["the number of apps", (db) => countApps(db, apps())],
  ["keys", (db) => listAppKeys(db, keysOfApp("a-web"), reading)],
  ["the number of keys", (db) => countAppKeys(db, keysOfApp("a-web"))],
  ["grants", (db) => listGrants(db, grants(db, {}), { ...reading, descending: true })],
  ["grants of a user", (db) => listGrants(db, grants(db, { userId: "u-ada" }), reading)],
  ["grants of a project with a role", (db) => listGrants(db, grants(db, { projectId: "p1", roleKey: name }), reading)],
  ["grants by all that they have", (db) => listGrants(db, grants(db, ofGrants), reading)],
  ["the number of grants by all that they have", (db) => countGrants(db, grants(db, ofGrants))],
  ["grants without any of no ids", (db) => listGrants(db, grants(db, { ids: [], userIds: [] }), reading)],
  ["members by all that they have", (db) => listMembers(db, level, members(), reading)],
  ["the number of members by all that they have", (db) => countMembers(db, members())],
  ["members of several objects", (db) => listMembersOn(db, membersOn(objects), reading)],
  ["the number of grants", (db) => countGrants(db, grants(db, { state: "active" }))],
  ["sessions", (db) => listSessions(db, sessions({}), { ...reading, descending: true })],
  [
    "sessions of a time",
    (db) => listSessions(db, sessions({ ids: ["s"], time: { ...from, column: "createdAt" } }), reading),
  ],
  ["sessions of a user", (db) => listSessions(db, sessions({ userId: "u-ada" }), reading)],
  ["sessions of an organization", (db) => listSessions(db, sessions({ organizationId: "acme" }), reading)],
  ["the number of sessions of an organization", (db) => countSessions(db, sessions({ organizationId: "acme" }))],
  [
    "sign-ins by day",
    (db) => countEventsByDay(db, { type: "user.signed_in", organizationId: undefined, days: [0, 86_400_000] }),
  ],
];

describe.each(databaseKinds)("lists of the management APIs on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  it.each(LISTS)("%s: no table is read as a whole", async (_, read) => {
    const { db, seen } = watched(service.ctx.db);
    await read(db);
    expect(seen.length).toBeGreaterThan(0);
    for (const statement of seen) expect(await wholeReads(service.ctx.db, statement)).toEqual([]);
  });

  it("the test sees a table that is read as a whole", async () => {
    const statement = { sql: `SELECT * FROM "Project" WHERE "name" || '' = $1`, values: ["Shop"] };
    expect(await wholeReads(service.ctx.db, statement)).toHaveLength(1);
  });
});
