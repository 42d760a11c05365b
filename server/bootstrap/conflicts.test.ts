import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { removeProject } from "../directory/project/edit";
import { removeUser } from "../directory/user/set-state";
import { type BareContext, bareContext, countAllRows } from "../testing/bare-context";
import { temporaryFolder } from "../testing/database";
import { applyBootstrap, applyBootstrapFile } from "./apply";

const clientSecret = "0123456789abcdef0123456789abcdef0123";
const taken = {
  id: "taken",
  name: "Taken",
  domains: [{ domain: "taken.test", verified: true, primary: true }],
  users: [
    { id: "u-taken", userName: "taken@elsewhere.test" },
    { id: "u-eve", userName: "eve" },
  ],
  machines: [{ id: "m-taken", userName: "robot" }],
  projects: [
    { id: "p-taken", name: "P", apps: [{ id: "a-taken", name: "A", api: { clientId: "taken", clientSecret } }] },
  ],
};

async function contextWith(...organizations: object[]): Promise<BareContext> {
  const ctx = await bareContext("sqlite");
  await applyBootstrap(ctx, { organizations });
  return ctx;
}

/** Returns the error message for a content, and checks that nothing has changed. */
async function refusal(ctx: BareContext, content: unknown): Promise<string> {
  const before = await countAllRows(ctx);
  const message = await applyBootstrap(ctx, content).then(
    () => "applied",
    (error: Error) => error.message,
  );
  expect(await countAllRows(ctx)).toEqual(before);
  return message;
}

const domains = [{ domain: "new.test", verified: true, primary: true }];
const other = (members: object) => ({ organizations: [{ id: "new", name: "New", domains, ...members }] });
const same = (members: object) => ({ organizations: [{ id: "taken", name: "Taken", ...members }] });
const app = (members: object) => other({ projects: [{ name: "P", apps: [{ name: "A", ...members }] }] });

const ID_GIVEN = "This ID was used before, and an ID is never given twice. Choose another.";
const CLIENT_GIVEN =
  "This identifier was used before. Client IDs, project IDs and names of machines are given once, whatever their upper and lower case. Choose another.";
const O = "organizations[0]";
const A = `${O}.projects[0].apps[0]`;

describe("bootstrap file: contradictions with the database (rule BOOTSTRAP-3)", () => {
  it.each<[string, unknown, string]>([
    [
      "a domain verified elsewhere",
      other({ domains: taken.domains }),
      `${O}.domains[0].domain: is verified in another organization: use another domain`,
    ],
    [
      "a login name that is taken",
      other({ users: [{ userName: "Taken@elsewhere.test" }] }),
      `${O}.users[0].userName: the login name of Taken@elsewhere.test is taken by user u-taken: choose another`,
    ],
    [
      "a user id of another organization",
      other({ users: [{ id: "u-taken", userName: "x" }] }),
      `${O}.users[0].id: belongs to another organization`,
    ],
    [
      "a user id of a machine",
      same({ users: [{ id: "m-taken", userName: "x" }] }),
      `${O}.users[0].id: belongs to a machine already`,
    ],
    [
      "a machine named like a person",
      same({ machines: [{ userName: "eve" }] }),
      `${O}.machines[0].userName: belongs to a person already`,
    ],
    [
      "another id for a user name",
      same({ users: [{ id: "new", userName: "eve" }] }),
      `${O}.users[0].userName: the login name of eve is taken by user u-eve: choose another`,
    ],
    [
      "a project id of another organization",
      other({ projects: [{ id: "p-taken", name: "P" }] }),
      `${O}.projects[0].id: belongs to another organization`,
    ],
    ["an app id of another project", app({ id: "a-taken", api: {} }), `${A}.id: belongs to another project`],
    [
      "a client id of another project",
      app({ api: { clientId: "taken" } }),
      `${A}.api.clientId: belongs to another project`,
    ],
    [
      "a client id of another app",
      app({ id: "a-new", api: { clientId: "taken" } }),
      `${A}.api.clientId: is the client id of app a-taken already`,
    ],
    [
      "another kind of app",
      same({ projects: [{ id: "p-taken", name: "P", apps: [{ id: "a-taken", name: "A", oidc: {} }] }] }),
      `${A}.oidc: the app is of kind api already`,
    ],
    [
      "a machine named like an app",
      other({ machines: [{ userName: "taken" }] }),
      `${O}.machines[0].userName: ${CLIENT_GIVEN}`,
    ],
    [
      "a machine named like an app in other letters",
      other({ machines: [{ userName: "TAKEN" }] }),
      `${O}.machines[0].userName: ${CLIENT_GIVEN}`,
    ],
    [
      "a machine named like a project",
      other({ machines: [{ userName: "P-Taken" }] }),
      `${O}.machines[0].userName: ${CLIENT_GIVEN}`,
    ],
    [
      "a project named like an app",
      other({ projects: [{ id: "Taken", name: "P" }] }),
      `${O}.projects[0].id: ${CLIENT_GIVEN}`,
    ],
    [
      "an app named like a project",
      app({ api: { clientId: "p-taken", clientSecret } }),
      `${A}.api.clientId: ${CLIENT_GIVEN}`,
    ],
    [
      "an app named like a user's id",
      app({ api: { clientId: "u-eve", clientSecret } }),
      `${A}.api.clientId: ${CLIENT_GIVEN}`,
    ],
    [
      "an organization with a word of the service",
      { organizations: [{ id: "Console", name: "C" }] },
      `${O}.id: ${ID_GIVEN}`,
    ],
    [
      "an app named like a machine",
      app({ api: { clientId: "robot", clientSecret } }),
      `${A}.api.clientId: ${CLIENT_GIVEN}`,
    ],
    [
      "a new app without its secret",
      app({ oidc: {} }),
      `${A}.oidc.clientSecret: is required with the default authMethodType, which is BASIC`,
    ],
  ])("refuses %s", async (_, content, message) => {
    expect(await refusal(await contextWith(taken), content)).toBe(message);
  });

  it("refuses ids of removed objects of another organization, and recreates its own", async () => {
    const ctx = await contextWith({ ...taken, machines: [] });
    const origin = { actor: "u-eve" };
    expect(await removeUser({ ...ctx, origin }, { organizationId: "taken", userId: "u-taken" })).not.toHaveProperty(
      "id",
    );
    await removeProject({ ...ctx, origin }, { organizationId: "taken", projectId: "p-taken" });
    const user = { id: "u-taken", userName: "somebody" };
    expect(await refusal(ctx, other({ users: [user] }))).toBe(`${O}.users[0].id: ${ID_GIVEN}`);
    expect(await refusal(ctx, other({ projects: [{ id: "p-taken", name: "P" }] }))).toBe(
      `${O}.projects[0].id: ${ID_GIVEN}`,
    );
    expect(await refusal(ctx, app({ id: "a-taken", api: { clientId: "new", clientSecret } }))).toBe(
      `${A}.id: ${ID_GIVEN}`,
    );
    const apiOf = { clientId: "TAKEN", clientSecret };
    expect(await refusal(ctx, app({ api: apiOf }))).toBe(`${A}.api.clientId: ${CLIENT_GIVEN}`);
    const { created } = await applyBootstrap(ctx, same({ users: taken.users, projects: taken.projects }));
    expect(created).toEqual(["user taken@elsewhere.test", "project P", "app taken"]);
  });

  it("allows machines of two organizations with the same name", async () => {
    const ctx = await contextWith(taken);
    expect((await applyBootstrap(ctx, other({ machines: [{ userName: "Robot" }] }))).created).toContain(
      "machine Robot",
    );
  });

  it("refuses a name that several organizations have", async () => {
    const ctx = await contextWith({ id: "twin-1", name: "Twin" }, { id: "twin-2", name: "Twin" });
    const message = "several organizations have this name: give the id of the one that you mean";
    expect(await refusal(ctx, { organizations: [{ name: "Twin" }] })).toBe(`${O}.name: ${message}`);
  });

  it("refuses a primary domain under which a login name is taken", async () => {
    const ctx = await contextWith(taken, { id: "x", name: "X", users: [{ id: "x-eve", userName: "eve" }] });
    // A domain claim renames users with such a name; this one was left over from before it.
    await ctx.db.prisma.user.update({ where: { id: "x-eve" }, data: { loginNameKey: "eve@new.test" } });
    expect(await refusal(ctx, same({ domains }))).toBe(
      `${O}.domains: the login name eve@new.test is taken by a user of another organization: choose another`,
    );
  });

  it("neither undoes a domain claim nor fails because of it", async () => {
    const mine = {
      id: "mine",
      name: "Mine",
      users: [{ id: "m-eve", userName: "eve@new.test" }, { userName: "bob@new.test" }],
    };
    const ctx = await contextWith(mine);
    await applyBootstrap(ctx, other({})); // claims new.test
    const renamed = await ctx.db.prisma.user.findUniqueOrThrow({ where: { id: "m-eve" } });
    expect(renamed.userName).toMatch(/@temporary\.id\.example\.com$/);
    const before = await countAllRows(ctx);
    expect(await applyBootstrap(ctx, { organizations: [mine] })).toEqual({
      created: [],
      updated: [],
      warnings: [
        `${O}.users[0].userName: eve@new.test keeps the name given since: organization new has that domain`,
        `${O}.users[1].userName: bob@new.test is not created: organization new has that domain`,
      ],
    });
    expect(await countAllRows(ctx)).toEqual(before);
    expect(await ctx.db.prisma.user.findUniqueOrThrow({ where: { id: "m-eve" } })).toEqual(renamed);
  });

  it("refuses settings under which a stored address is wrong", async () => {
    const oidc = { clientId: "web", clientSecret, redirectUris: ["http://rp.test/cb"] };
    const file = (settings: object) =>
      other({ projects: [{ id: "p", name: "P", apps: [{ id: "a", name: "A", oidc: settings }] }] });
    const ctx = await contextWith(...file({ ...oidc, devMode: true }).organizations);
    expect(await refusal(ctx, file({ devMode: false, appType: "OIDC_APP_TYPE_USER_AGENT" }))).toBe(
      `${A}.oidc.redirectUris[0]: must use https`,
    );
  });
});

describe("bootstrap file: reading it", () => {
  const read = async (write: (path: string) => void): Promise<string> => {
    const path = join(temporaryFolder(), "bootstrap.json");
    write(path);
    const applied = applyBootstrapFile(await bareContext("sqlite"), path);
    const message = await applied.then(
      () => "applied",
      (error: Error) => error.message,
    );
    return message.replace(path, "FILE");
  };

  it.each<[string, (path: string) => void, string]>([
    [
      "no JSON",
      (path) => writeFileSync(path, '{\n  "organizations": [,]\n}'),
      "FILE: is not JSON, line 2 column 21: a value was expected",
    ],
    ["a mistake", (path) => writeFileSync(path, '{"organizations": [{}]}'), `FILE: ${O}.name: is required`],
    ["an empty file", (path) => writeFileSync(path, ""), "FILE: is not JSON, line 1 column 1: the text ends too early"],
    ["no UTF-8", (path) => writeFileSync(path, Buffer.from([0x22, 0xff, 0x22])), "FILE: is not UTF-8 text"],
    ["a missing file", () => {}, "FILE: there is no such file"],
    ["a directory", (path) => mkdirSync(path), "FILE: cannot be read (EISDIR)"],
    [
      "too large a file",
      (path) => writeFileSync(path, " ".repeat(17_000_000)),
      "FILE: is too large: 17000000 bytes, at most 16777216",
    ],
    ["a byte order mark, which is fine", (path) => writeFileSync(path, "\ufeff{}"), "applied"],
  ])("reports %s in one line", async (_, write, message) => expect(await read(write)).toBe(message));
});
