import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds } from "../../testing/database";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

const MESSAGE = "/management/v1/text/message/password_change/en";
const LOGIN = "/management/v1/text/login/en";

describe.each(databaseKinds)("the history of a text on %s", (kind) => {
  let service: TestService;
  let iam: ApiCaller;
  let evil: ApiCaller;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    iam = await callerOf(service, "acme-iam");
    evil = await callerOf(service, "evil-mallory");
  });
  afterAll(() => service.close());

  const changesOf = async (path: string) =>
    ((await iam("GET", `${path}/_history`)).body as { changes: Record<string, unknown>[] }).changes;

  it.each([
    [MESSAGE, { subject: "One", title: "T" }, { subject: "Two" }, "subject", (fields: object) => fields],
    [
      LOGIN,
      { signIn: { title: "One", notYou: "T" } },
      { signIn: { title: "Two" } },
      "signIn.title",
      (fields: Record<string, string>) => ({
        signIn: Object.fromEntries(Object.entries(fields).map(([name, text]) => [name.split(".")[1], text])),
      }),
    ],
  ])("has every state of %s, and each state can be set again", async (path, one, two, field, bodyOf) => {
    expect(await changesOf(path)).toEqual([]);
    await iam("PUT", path, one);
    await iam("PUT", path, two);
    await iam("DELETE", path);
    const changes = await changesOf(path);
    expect(changes.map(({ kind, sequence }) => [kind, sequence])).toEqual([
      ["removed", "3"],
      ["set", "2"],
      ["set", "1"],
    ]);
    expect(changes[0]).toMatchObject({
      fields: {},
      changes: [{ field, from: "Two" }],
      actor: { id: expect.any(String) },
    });
    expect(changes[1]).toMatchObject({
      fields: { [field]: "Two" },
      changes: expect.arrayContaining([{ field, from: "One", to: "Two" }]),
    });
    const first = changes[2]?.fields as Record<string, string>;
    expect(Object.values(first)).toEqual(["One", "T"]);
    expect((await iam("PUT", path, bodyOf(first))).status).toBe(200);
    expect((await changesOf(path))[0]?.fields).toEqual(first);
  });

  it("is hidden from users of other organizations, and names none of them", async () => {
    const theirs = await evil("GET", `${LOGIN}/_history`, undefined, "acme");
    expect(theirs.status).toBe(403);
    expect((await evil("GET", `${LOGIN}/_history`)).body).toEqual({ changes: [] });
  });

  it("contains the replaced built-in text, reports a newer one, and stops once the text was kept", async () => {
    await iam("PUT", MESSAGE, { subject: "Mine", title: "Mine too" });
    await iam("PUT", LOGIN, { signIn: { title: "Mine" } });
    const { prisma } = service.ctx.db;
    const where = { ownerId: "acme", language: "en" };
    await prisma.messageText.updateMany({ where, data: { replaced: { subject: "As it was" } } });
    await prisma.loginText.updateMany({ where, data: { replaced: { "signIn.title": "As it was" } } });
    const explained = async () => {
      const message = (await iam("GET", `${MESSAGE}/_explain`)).body as { fields: Record<string, object> };
      const login = (await iam("GET", `${LOGIN}/_explain`)).body as { words: { field: string }[] };
      return [message.fields.subject, message.fields.title, login.words.find((word) => word.field === "signIn.title")];
    };
    const builtInThen = "As it was";
    const known = await explained();
    expect(known).toMatchObject([{ builtInThen }, { organization: "Mine too" }, { builtInThen, builtIn: "Sign in" }]);
    expect(known[1]).not.toHaveProperty("builtInThen");
    // A rewritten text counts as compared with the current built-in text; others are still reported.
    await iam("PUT", MESSAGE, { subject: "Mine", title: "Changed" });
    expect(await explained()).toMatchObject([{ builtInThen }, {}, {}]);
    for (const path of [MESSAGE, LOGIN]) expect((await iam("POST", `${path}/_keep`)).status).toBe(200);
    for (const one of await explained()) expect(one).not.toHaveProperty("builtInThen");
    expect((await changesOf(LOGIN))[0]).toMatchObject({ kind: "kept", fields: { "signIn.title": "Mine" } });
    const { sequence } = (await changesOf(LOGIN))[0] as { sequence: string };
    await iam("POST", `${LOGIN}/_keep`);
    expect((await changesOf(LOGIN))[0]?.sequence).toBe(sequence);
  });
});
