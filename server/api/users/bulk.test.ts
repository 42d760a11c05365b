import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authorize } from "../../testing/flow";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

describe("the same change for several users", () => {
  let service: TestService;
  let people: ApiCaller; // ORG_USER_MANAGER of acme
  beforeAll(async () => {
    service = await testService("sqlite", tenantsBootstrap);
    people = await callerOf(service, "acme-people");
  });
  afterAll(() => service.close());

  const PATH = "/management/v1/users";
  type Result = { userId: string; error?: { id: string } };
  const did = (body: { results: Result[] }) => body.results.map(({ userId, error }) => [userId, error?.id]);
  const stateOf = async (id: string) => (await service.ctx.db.prisma.user.findUnique({ where: { id } }))?.state;

  it("is refused for users with more permissions than the caller or of other organizations, and done for the rest", async () => {
    const userIds = ["u-eve", "u-olga", "u-tess", "u-none", "u-bob"];
    const { status, body } = await people("POST", `${PATH}/_bulk_deactivate`, { userIds });
    expect([status, body.changed, body.refused]).toEqual([200, 2, 3]);
    expect(did(body)).toEqual([
      ["u-eve", undefined],
      ["u-olga", "access.higher_role"],
      ["u-tess", "user.not_found"],
      ["u-none", "user.not_found"],
      ["u-bob", undefined],
    ]);
    expect([await stateOf("u-eve"), await stateOf("u-olga"), await stateOf("u-tess")]).toEqual([
      "inactive",
      "active",
      "active",
    ]);
    const again = await people("POST", `${PATH}/_bulk_deactivate`, { userIds: ["u-eve"] });
    expect(again.body).toMatchObject({ changed: 1, refused: 0 }); // is in that state already
    const back = await people("POST", `${PATH}/_bulk_reactivate`, { userIds: ["u-eve", "u-bob"] });
    expect([back.body.changed, await stateOf("u-eve")]).toEqual([2, "active"]);
    await people("POST", `${PATH}/u-eve/_lock`, {});
    await people("POST", `${PATH}/_bulk_unlock`, { userIds: ["u-eve"] });
    expect(await stateOf("u-eve")).toBe("active");
  });

  it("adds roles to the existing ones", async () => {
    const owner = await callerOf(service, "acme-bot");
    await owner("POST", "/management/v1/projects/p1/roles", { roleKey: "reader" });
    const give = (roleKeys: string[], userIds = ["u-eve", "u-bob", "u-tess"]) =>
      people("POST", `${PATH}/grants/_bulk`, { userIds, projectId: "p1", roleKeys });
    expect(did((await give(["reader"])).body)).toEqual([
      ["u-eve", undefined],
      ["u-bob", undefined],
      ["u-tess", "user.not_found"],
    ]);
    expect((await give(["acme-admin"], ["u-eve"])).body.changed).toBe(1);
    const grant = await service.ctx.db.prisma.userGrant.findFirst({ where: { userId: "u-eve", projectId: "p1" } });
    expect(grant?.roleKeys).toEqual(["reader", "acme-admin"]);
    expect(did((await give(["none"], ["u-bob"])).body)).toEqual([["u-bob", "user_grant.unknown_role"]]);
  });

  it("removes them, and refuses lists that are empty, too long or malformed", async () => {
    const remove = (userIds: unknown) => people("DELETE", `${PATH}/_bulk`, { userIds });
    for (const odd of [[], ["", "u-eve"], Array.from({ length: 101 }, (_, n) => `u-${n}`), "u-eve", [7]]) {
      expect((await remove(odd)).status).toBe(400);
    }
    expect(did((await remove(["u-olga", "u-eve", "u-sam"])).body)).toEqual([
      ["u-olga", "access.higher_role"],
      ["u-eve", undefined],
      ["u-sam", "user.not_found"],
    ]);
    expect([await stateOf("u-eve"), await stateOf("u-sam")]).toEqual([undefined, "active"]);
  });

  it("filters and sorts by the last sign-in and by second factors", async () => {
    const search = async (body: object) =>
      (await people("POST", `${PATH}/_search`, body)).body.result.map(({ id }: { id: string }) => id);
    const never = { lastSignInQuery: { never: true } };
    const human = { typeQuery: { type: "TYPE_HUMAN" } };
    expect(await search({ queries: [never, human] })).toContain("u-bob");
    await authorize(service.browser(), {}, { loginName: "bob@acme.test" });
    expect(await search({ queries: [never, human] })).not.toContain("u-bob");
    const sorted = { sortingColumn: "USER_FIELD_NAME_LAST_SIGN_IN_DATE", queries: [human] };
    expect((await search({ ...sorted, query: { asc: false } }))[0]).toBe("u-bob");
    expect((await search({ ...sorted, query: { asc: true } })).at(-1)).toBe("u-bob");
    const soon = new Date(service.ctx.clock() + 60_000).toISOString();
    expect(await search({ queries: [{ lastSignInQuery: { before: soon } }] })).toEqual(["u-bob"]);
    const { user } = (await people("GET", `${PATH}/u-bob`)).body;
    expect(user.human).toMatchObject({
      secondFactors: [],
      lastSignInDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    await service.ctx.db.prisma.secondFactor.create({
      data: { id: "f1", userId: "u-bob", kind: "email", createdAt: new Date() },
    });
    expect(await search({ queries: [{ secondFactorQuery: { hasSecondFactor: true } }] })).toEqual(["u-bob"]);
    expect(await search({ queries: [{ secondFactorQuery: { hasSecondFactor: false } }] })).not.toContain("u-bob");
    const v2 = { queries: [{ notQuery: { query: { secondFactorQuery: { hasSecondFactor: false } } } }, human] };
    expect((await people("POST", "/v2/users", v2)).body.result).toMatchObject([
      { human: { secondFactors: ["otpEmail"] } },
    ]);
  });
});
