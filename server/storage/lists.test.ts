import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { watched, wholeReads } from "../testing/plans";
import { type TestService, testService } from "../testing/test-context";
import { appKeyList, appList, appsOf, keysOfApp, matchApps } from "./app/list";
import type { Database } from "./database";
import { countEventsByDay } from "./maintenance/statistics";
import { matchMembers, memberList, membersOf, membersOn, membersOnObjects } from "./member/list";
import { findProject, projectList, projectRoleList, projectsOf, rolesOfProject } from "./project/list";
import { activeSessions, matchSessions, sessionList } from "./session/list";
import { grantsOf, matchGrants, userGrantList } from "./user-grant/list";

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
  ["projects", (db) => projectList.page(db, projectsOf("acme"), reading)],
  ["projects, a later page", (db) => projectList.page(db, projectsOf("acme"), { ...reading, after: ["Shop", "p1"] })],
  ["some projects", (db) => projectList.page(db, projectsOf("acme", ["p1", "p2"]), reading)],
  ["the number of projects", (db) => projectList.count(db, projectsOf("acme"))],
  ["one project", (db) => findProject(db, "acme", "p1")],
  ["roles", (db) => projectRoleList.page(db, rolesOfProject("p1"), reading)],
  ["the number of roles", (db) => projectRoleList.count(db, rolesOfProject("p1"))],
  ["apps of a project", (db) => appList().page(db, apps(["p1"]), { ...reading, descending: true })],
  ["apps of an organization", (db) => appList().page(db, apps(), reading)],
  ["the number of apps", (db) => appList().count(db, apps())],
  ["keys", (db) => appKeyList.page(db, keysOfApp("a-web"), reading)],
  ["the number of keys", (db) => appKeyList.count(db, keysOfApp("a-web"))],
  ["grants", (db) => userGrantList.page(db, grants(db, {}), { ...reading, descending: true })],
  ["grants of a user", (db) => userGrantList.page(db, grants(db, { userId: "u-ada" }), reading)],
  [
    "grants of a project with a role",
    (db) => userGrantList.page(db, grants(db, { projectId: "p1", roleKey: name }), reading),
  ],
  ["grants by all that they have", (db) => userGrantList.page(db, grants(db, ofGrants), reading)],
  ["the number of grants by all that they have", (db) => userGrantList.count(db, grants(db, ofGrants))],
  ["grants without any of no ids", (db) => userGrantList.page(db, grants(db, { ids: [], userIds: [] }), reading)],
  ["members by all that they have", (db) => memberList(level).page(db, members(), reading)],
  ["members of several objects", (db) => membersOnObjects.page(db, membersOn(objects), reading)],
  ["the number of members by all that they have", (db) => memberList(level).count(db, members())],
  ["the number of grants", (db) => userGrantList.count(db, grants(db, { state: "active" }))],
  ["sessions", (db) => sessionList.page(db, sessions({}), { ...reading, descending: true })],
  [
    "sessions of a time",
    (db) => sessionList.page(db, sessions({ ids: ["s"], time: { ...from, column: "createdAt" } }), reading),
  ],
  ["sessions of a user", (db) => sessionList.page(db, sessions({ userId: "u-ada" }), reading)],
  ["sessions of an organization", (db) => sessionList.page(db, sessions({ organizationId: "acme" }), reading)],
  ["the number of sessions of an organization", (db) => sessionList.count(db, sessions({ organizationId: "acme" }))],
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
