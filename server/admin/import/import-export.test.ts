import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import { root } from "../../root";
import { databaseKinds, ruleDatabases, temporaryFolder } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { authorize } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";
import { type ImportWords, importFile } from "../import-command";

const sample = (name: string) => path.join(root, "server/testing/exports", name);
/** The password of the hashes in the samples. */
const OLD_PASSWORD = "Grüße, 4 nachts!";

describe.each(databaseKinds)("the import of exports, on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  async function run(source: string, file: string, words: ImportWords = {}): Promise<string> {
    const lines: string[] = [];
    const output = { out: (text: string) => lines.push(text), err: (text: string) => lines.push(text) };
    await importFile(service.ctx, [source, file], words, output);
    return lines.join("\n");
  }
  const count = async () => [
    await service.ctx.db.prisma.user.count(),
    await service.ctx.db.prisma.organization.count(),
    await service.ctx.db.prisma.event.count(),
    await service.ctx.db.prisma.outboxMessage.count(),
  ];
  /** Whether the password is accepted; a second factor may be asked for next. */
  const signIn = async (loginName: string, password = OLD_PASSWORD) => {
    await authorize(service.browser(), {}, { loginName, password }).catch(() => undefined);
    const user = await service.ctx.db.prisma.user.findFirst({ where: { email: loginName } });
    return user?.passwordHash?.startsWith("$argon2id$") ?? false;
  };

  it("of ZITADEL reports in a dry run what it would do, and changes nothing", async () => {
    const before = await count();
    const report = await run("zitadel", sample("zitadel.json"), { "dry-run": true });
    expect(report).toContain("dry run, nothing was changed; users: 2 would be imported, 0 existed already, 1 refused");
    expect(report).toContain("would create organization Moved");
    expect(report).toMatch(/refused: line \d+: user slow: hashedPassword.value would take \d+ seconds to verify/);
    expect(await count()).toEqual(before);
  });

  it("of ZITADEL imports organizations, projects, apps, roles, users, texts and metadata", async () => {
    const report = await run("zitadel", sample("zitadel.json"));
    expect(report).toContain("users: 2 imported, 0 existed already, 1 refused");
    expect(report).toMatch(/refused: "Odd": organizations\[0\]\.projects\[0\]\.apps/);
    expect(report).toContain("not imported: domainPolicy: set it on the organization's page");
    expect(report).toContain("not imported: 3 × client ids of apps");
    expect(report).toContain("refused: roles of user 310003 in project 290001: the user was not imported");
    const db = service.ctx.db.prisma;
    expect(report).toContain("of user 310001: the file does not contain the project grant 295002");
    expect(await db.membership.findMany({ where: { userId: "310001", level: "project_grant" } })).toMatchObject([
      { role: "PROJECT_GRANT_OWNER", levelId: (await db.projectGrant.findFirst())?.id },
    ]);
    const grace = await db.user.findFirst({ where: { id: "310001" } });
    expect(grace).toMatchObject({ organizationId: "280001", email: "grace@moved.example", isEmailVerified: true });
    expect(await db.userGrant.findFirst({ where: { userId: "310001" } })).toMatchObject({ projectId: "290001" });
    expect(await db.secondFactor.count({ where: { userId: "310001", kind: "totp" } })).toBe(1);
    expect(await db.userMetadata.findFirst({ where: { userId: "310001" } })).toMatchObject({ key: "rank" });
    expect(await db.membership.findFirst({ where: { userId: "310002" } })).toMatchObject({ role: "ORG_OWNER" });
    expect(await db.membership.findFirst({ where: { userId: "320001" } })).toMatchObject({ role: "ORG_USER_MANAGER" });
    expect(await db.app.findFirst({ where: { id: "300002" } })).toMatchObject({ name: "Storefront" });
    expect(await db.app.count({ where: { id: "300003" } })).toBe(0);
    expect(await db.user.count({ where: { id: "310003" } })).toBe(0);
    expect(report).toContain("links to identity providers: 2 imported");
    expect(report).toContain("not imported: links to 999: there is no identity provider of that name");
    const links = await db.identityLink.findMany({ orderBy: { userId: "asc" } });
    expect(links.map(({ userId, externalId }) => [userId, externalId])).toEqual([
      ["310001", "grace-1"],
      ["310002", "ada-1"],
    ]);
    expect(await db.machineKey.findFirst({ where: { userId: "320001" } })).toMatchObject({ id: "330001" });
    expect(await db.app.findFirst({ where: { id: "300001" } })).toMatchObject({ clientId: "300009@shop" });
    expect(await db.outboxMessage.count()).toBe(0);
    expect(await signIn("grace@moved.example", "another")).toBe(false);
    expect(await signIn("grace@moved.example")).toBe(true);
  });

  it("of ZITADEL changes nothing when it is repeated", async () => {
    const before = await count();
    const report = await run("zitadel", sample("zitadel.json"));
    expect(report).toContain("users: 0 imported, 2 existed already, 1 refused");
    expect(await count()).toEqual(before);
  });

  it("of ZITADEL joins the roles of two grants of one user in one project, wherever they are in the file", async () => {
    const { orgs } = JSON.parse(readFileSync(sample("zitadel.json"), "utf8"));
    const grantTo = (userId: string, role: string) => ({ userId, projectId: "290001", roleKeys: [role] });
    const between = Array.from({ length: 150 }, () => grantTo("missing", "buyer"));
    orgs[0].userGrants = [grantTo("310001", "seller"), ...between, grantTo("310001", "buyer")];
    const file = path.join(temporaryFolder(), "zitadel.json");
    writeFileSync(file, JSON.stringify({ orgs }, null, 1));
    await run("zitadel", file);
    const before = await count();
    await run("zitadel", file);
    expect(await count()).toEqual(before);
    const grants = await service.ctx.db.prisma.userGrant.findMany({ where: { userId: "310001" } });
    expect(grants.map(({ roleKeys }) => roleKeys)).toEqual([["seller", "buyer"]]);
  });

  it("says which changes that were made here it reverts", async () => {
    const rename = (name: string) => service.ctx.db.prisma.app.update({ where: { id: "300001" }, data: { name } });
    const { name } = await service.ctx.db.prisma.app.findUniqueOrThrow({ where: { id: "300001" } });
    await rename("Renamed here");
    expect(await run("zitadel", sample("zitadel.json"), { "dry-run": true })).toContain("would change app 300009@shop");
    await rename(name);
  });

  it("of Keycloak imports a realm as an organization with a project, and its users sign in with their passwords", async () => {
    const report = await run("keycloak", sample("keycloak.json"));
    expect(report).toContain("users: 2 imported, 0 existed already, 0 refused");
    expect(report).toContain("not imported: redirect URI https://web.example/* of web");
    expect(report).toContain("not imported: client old: its protocol is saml");
    expect(report).toContain("not imported: passwords: their algorithm is not known here");
    expect(report).toContain("authenticator apps: 1 imported");
    const db = service.ctx.db.prisma;
    const [kim, lou] = ["1", "2"].map((last) => `6f1f6a1e-0001-4000-8000-00000000000${last}`);
    expect(await db.user.findFirst({ where: { id: kim } })).toMatchObject({
      preferredLanguage: "ko",
      phone: "+8223123456",
      state: "active",
    });
    expect(await db.user.findFirst({ where: { id: lou } })).toMatchObject({ state: "inactive", email: null });
    expect(await db.event.count({ where: { aggregateId: lou, type: "user.deactivated" } })).toBe(1);
    expect(await db.app.findFirst({ where: { clientId: "web" } })).not.toBeNull();
    expect(await db.userGrant.findFirst({ where: { userId: kim } })).not.toBeNull();
    expect(await signIn("kim@acme-realm.example")).toBe(true);
    const separate = path.join(temporaryFolder(), "acme-realm-users-0.json");
    const user = { id: "kc-3", username: "mo", email: "mo@acme-realm.example", enabled: true, realmRoles: ["reader"] };
    writeFileSync(separate, JSON.stringify({ realm: "acme-realm", users: [user] }));
    expect(await run("keycloak", separate)).toContain("roles of users in projects: 1");
    expect(await db.userGrant.findFirst({ where: { userId: "kc-3" } })).not.toBeNull();
    const again = await run("keycloak", sample("keycloak.json"));
    expect(again).toContain("users: 0 imported, 2 existed already, 0 refused");
  });

  /** Who has an account at Google, by the source. */
  const linked = { auth0: "google-oauth2.123", firebase: "fb1AbC", csv: "" };
  let google = "";
  it("of Auth0 and Firebase links users to a provider of the kind that the file names", async () => {
    const provider = { name: "Sign in with Google", google: { clientId: "c", clientSecret: "s" } };
    const organization = { id: "280001", name: "Moved", identityProviders: [provider] };
    await applyBootstrap(service.ctx, { organizations: [organization] });
    const stored = await service.ctx.db.prisma.identityProvider.findFirstOrThrow({ where: { name: provider.name } });
    google = stored.id;
    const report = await run("auth0", sample("auth0.ndjson"), { organization: "280001", "dry-run": true });
    expect(report).toContain("links to identity providers: 1 would be imported");
  });

  it.each([
    ["auth0", "auth0.ndjson", {}, "tom@auth0.example", OLD_PASSWORD],
    [
      "firebase",
      "firebase.json",
      { "firebase-config": sample("firebase-config.txt") },
      "flo@firebase.example",
      "user1password",
    ],
    ["csv", "users.csv", {}, "cleo@csv.example", OLD_PASSWORD],
  ] as const)(
    "of %s imports users into the organization that is named",
    async (source, file, words, email, password) => {
      await expect(run(source, sample(file), words)).rejects.toThrow("add --organization <id>");
      const options = { ...words, organization: "280001" };
      const refused = source === "csv" ? 1 : 0;
      expect(await run(source, sample(file), options)).toContain(`2 imported, 0 existed already, ${refused} refused`);
      expect(await signIn(email, password)).toBe(true);
      const links = await service.ctx.db.prisma.identityLink.findMany({ where: { providerId: google } });
      expect(links.some(({ userId }) => userId === linked[source])).toBe(source !== "csv");
      const before = await count();
      expect(await run(source, sample(file), options)).toContain(`0 imported, 2 existed already, ${refused} refused`);
      expect(await count()).toEqual(before);
    },
  );

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it("of Okta imports users without their passwords", async () => {
    const report = await run("okta", sample("okta.json"), { organization: "280001" });
    expect(report).toContain("users: 2 imported, 0 existed already, 0 refused");
    expect(report).toContain("not imported: 2 × passwords: Okta exports no hashes");
    const states = await service.ctx.db.prisma.user.findMany({ where: { id: { in: ["00u1", "00u2"] } } });
    expect(states.map(({ state }) => state).sort()).toEqual(["active", "inactive"]);
  });

  it.each([
    ["truncated", (text: string) => text.slice(0, 3_000), /line \d+: the file ends early, it may be truncated/],
    [
      "with a user twice",
      (text: string) => text.replaceAll("310002", "310001"),
      /line \d+: the user ada is in line \d+ already/,
    ],
    ["of another system", () => '{"version": 9, "tenants": []}', /not an export of ZITADEL, or of an unknown version/],
  ])("refuses a file %s, and changes nothing", async (_, change, message) => {
    const file = path.join(temporaryFolder(), "export.json");
    const fresh = readFileSync(sample("zitadel.json"), "utf8")
      .replaceAll("28000", "38000")
      .replaceAll("moved", "again");
    writeFileSync(file, change(fresh));
    const before = await count();
    await expect(run("zitadel", file)).rejects.toThrow(message);
    expect(await count()).toEqual(before);
  });

  it("refuses unknown sources, missing files and missing organizations", async () => {
    await expect(run("toString", sample("okta.json"))).rejects.toThrow("the source is one of zitadel, keycloak");
    await expect(run("okta", "/nowhere.json")).rejects.toThrow("there is no such file");
    const nobody = { organization: "nobody" };
    await expect(run("okta", sample("okta.json"), nobody)).rejects.toThrow(
      "there is no organization with the id nobody",
    );
  });

  it("writes the whole report to a file that only its owner reads", async () => {
    const report = path.join(temporaryFolder(), "report.txt");
    await run("zitadel", sample("zitadel.json"), { "dry-run": true, report });
    expect(readFileSync(report, "utf8")).toMatch(/^refused: line \d+: user slow/m);
    expect(statSync(report).mode & 0o077).toBe(0);
  });

  it("refuses CSV with a row that is cut off, an unknown column, or without names", async () => {
    const file = path.join(temporaryFolder(), "users.csv");
    const importText = (text: string) => {
      writeFileSync(file, text);
      return run("csv", file, { organization: "280001" });
    };
    await expect(importText("userName,firstName\nx,y\nz")).rejects.toThrow("row 3: has 1 columns instead of 2");
    await expect(importText("userName,password\nx,y\n")).rejects.toThrow('row 1: there is no column "password"');
    await expect(importText("firstName\nx\n")).rejects.toThrow("row 1: the column userName is missing");
    await expect(importText("")).rejects.toThrow("the file is empty");
  });

  it("continues after an interruption, without importing anybody twice", async () => {
    const file = path.join(temporaryFolder(), "many.csv");
    const rows = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `many${from + index},A,B,many${from + index}@csv.example,true`);
    const head = "userName,firstName,lastName,email,isEmailVerified";
    const write = (to: number) => writeFileSync(file, [head, ...rows(0, to), ""].join("\n"));
    write(1_200);
    // The first batches were stored before the process ended.
    writeFileSync(`${file}.part`, [head, ...rows(0, 700), ""].join("\n"));
    await run("csv", `${file}.part`, { organization: "280001" });
    const report = await run("csv", file, { organization: "280001" });
    expect(report).toContain("users: 500 imported, 700 existed already, 0 refused");
  });
});
