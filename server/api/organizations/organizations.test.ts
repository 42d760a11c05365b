import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { databaseKinds } from "../../testing/database";
import { scenarioBootstrap } from "../../testing/scenarios/all";
import { type TestService, testService } from "../../testing/test-context";

describe.each(databaseKinds)("organizations over the API on %s", (kind) => {
  let service: TestService;
  let owner: string;
  let colleague: string;
  /** What the domain name system tells. */
  const texts = new Map<string, string[]>();
  beforeAll(async () => {
    service = await testService(kind, scenarioBootstrap);
    service.ctx.resolver = {
      async texts(name) {
        const found = texts.get(name);
        if (found) return found;
        throw Object.assign(new Error("no answer"), { code: "ESERVFAIL" });
      },
      addresses: async () => [{ address: "127.0.0.1", family: 4 }],
    };
    owner = await apiToken(service);
    colleague = await apiToken(service, "colleague@acme.test");
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown, token = owner, organizationId?: string) =>
    callApi(service, method, path, {
      token,
      body,
      headers: organizationId === undefined ? {} : { "x-service-orgid": organizationId },
    });
  const refused = async (...request: Parameters<typeof call>) => refusalOf(await call(...request));

  it("gives a new organization a free primary domain and its creator", async () => {
    const first = await call("POST", "/management/v1/orgs", { name: "Twin" });
    const second = await call("POST", "/management/v1/orgs", { name: "Twin" });
    expect([first.body.primaryDomain, second.body.primaryDomain]).toEqual(["twin.localhost", "twin-2.localhost"]);
    const members = await call("POST", "/management/v1/orgs/me/members/_search", {}, owner, first.body.id);
    expect(members.body.result).toMatchObject([{ userId: "u-ada", roles: ["ORG_OWNER"] }]);
  });

  it("refuses used ids, including that of the instance", async () => {
    const instance = await service.ctx.db.prisma.instance.findFirst();
    for (const id of ["acme", instance?.id]) {
      expect(await refused("POST", "/management/v1/orgs", { name: "X", id })).toEqual({
        status: 409,
        code: 6,
        id: "organization.id_taken",
      });
    }
    expect((await refused("POST", "/management/v1/orgs", { name: "X", id: "a b" })).status).toBe(400);
    expect((await refused("POST", "/management/v1/orgs", { name: " ", more: 1 })).status).toBe(400);
  });

  it("creates an organization together with its manager, or not at all", async () => {
    const human = (userName: string) => ({
      userName,
      profile: { firstName: "G", lastName: "B" },
      email: { email: "g@b.test" },
    });
    const path = "/admin/v1/orgs/_setup";
    const made = (await call("POST", path, { org: { name: "Set up" }, human: human("g@b.test") })).body;
    const members = await call("POST", "/management/v1/orgs/me/members/_search", {}, owner, made.orgId);
    expect(members.body.result).toMatchObject([{ userId: made.userId, roles: ["ORG_OWNER"] }]);
    const before = await service.ctx.db.prisma.organization.count();
    expect((await refused("POST", path, { org: { name: "Again" }, human: human("g@b.test") })).status).toBe(409);
    expect((await refused("POST", path, { org: { name: "Again" }, human: human("g@foreign.test") })).status).toBe(400);
    expect(await service.ctx.db.prisma.organization.count()).toBe(before);
  });

  it("keeps the default organization, and the one with the last owner of the instance", async () => {
    expect((await refused("DELETE", "/management/v1/orgs/me")).id).toBe("organization.is_default");
    expect((await refused("POST", "/management/v1/orgs/me/_deactivate")).id).toBe("instance.last_owner");
    await call("PUT", "/admin/v1/orgs/default/foreign");
    expect((await refused("DELETE", "/admin/v1/orgs/acme")).id).toBe("instance.last_owner");
    await call("PUT", "/admin/v1/orgs/default/acme");
    expect((await refused("PUT", "/admin/v1/orgs/default/unknown")).id).toBe("organization.not_found");
  });

  it("ends every token of a deactivated or removed organization, and keeps only its events", async () => {
    const { id } = (await call("POST", "/management/v1/orgs", { name: "Gone" })).body;
    const person = { profile: { firstName: "G", lastName: "One" }, email: { email: "g@one.test" } };
    const made = await call("POST", "/management/v1/users/machine", { userName: "gone", name: "Gone" }, owner, id);
    const { userId } = made.body;
    await call("POST", "/management/v1/users/human", { userName: "g@one.test", ...person }, owner, id);
    await call("POST", "/management/v1/orgs/me/members", { userId, roles: ["ORG_OWNER"] }, owner, id);
    const server = { senderAddress: "g@one.test", host: "mail.one.test" };
    expect((await call("POST", "/management/v1/email/smtp", server, owner, id)).status).toBe(200);
    const hook = { endpoint: "https://hook.one.test/" };
    expect((await call("POST", "/management/v1/sms/http", hook, owner, id)).status).toBe(200);
    const { token } = (await call("POST", `/management/v1/users/${userId}/pats`, {}, owner, id)).body;
    const read = () => call("GET", "/management/v1/orgs/me", undefined, token);
    expect((await read()).body.org.id).toBe(id);
    await call("POST", "/management/v1/orgs/me/_deactivate", undefined, owner, id);
    expect((await read()).status).toBe(401);
    await call("POST", "/management/v1/orgs/me/_reactivate", {}, owner, id);
    expect((await read()).status).toBe(200);
    expect((await call("DELETE", "/management/v1/orgs/me", undefined, owner, id)).status).toBe(200);
    expect((await read()).status).toBe(401);
    const { prisma } = service.ctx.db;
    const left = await Promise.all([
      prisma.user.count({ where: { organizationId: id } }),
      prisma.userWord.count({ where: { organizationId: id } }),
      prisma.domain.count({ where: { organizationId: id } }),
      prisma.membership.count({ where: { levelId: id } }),
      prisma.outboxMessage.count({ where: { organizationId: id } }),
      prisma.oneTimeToken.count({ where: { subjectId: userId } }),
      prisma.personalAccessToken.count({ where: { userId } }),
      prisma.emailProvider.count({ where: { ownerId: id } }),
      prisma.smsProvider.count({ where: { ownerId: id } }),
    ]);
    expect(left).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
    const trail = await prisma.event.findMany({ where: { aggregateType: "organization", aggregateId: id } });
    expect(trail.at(-1)).toMatchObject({ type: "organization.removed", actor: "u-ada", payload: { name: "Gone" } });
  });

  it("finds organizations by name, ignoring case on request", async () => {
    await call("POST", "/management/v1/orgs", { name: "Ünique Örg" });
    const find = async (name: string, method: string) =>
      (
        await call("POST", "/admin/v1/orgs/_search", {
          queries: [{ nameQuery: { name, method: `TEXT_QUERY_METHOD_${method}` } }],
        })
      ).body.result.length;
    expect(await find("ÜNIQUE", "STARTS_WITH_IGNORE_CASE")).toBe(1);
    expect(await find("ÜNIQUE", "STARTS_WITH")).toBe(0);
    expect(await find("ö", "CONTAINS_IGNORE_CASE")).toBe(1);
    expect(await find("%", "CONTAINS")).toBe(0);
  });

  it("lists the organization with exactly the searched name, domain or ID first, then the beginnings, then words", async () => {
    const ids: string[] = [];
    for (const name of ["The Zebra", "Zebra Stripes", "Zebra"]) {
      ids.push((await call("POST", "/management/v1/orgs", { name })).body.id);
    }
    const [, , exact = ""] = ids;
    const find = async (text: string, query = {}) =>
      (await call("POST", "/admin/v1/orgs/_search", { query, queries: [{ textQuery: { text } }] })).body;
    const names = ({ result }: { result: { name: string }[] }) => result.map(({ name }) => name);
    expect(names(await find("zebra"))).toEqual(["Zebra", "Zebra Stripes", "The Zebra"]);
    expect(names(await find("STRIPES zebra"))).toEqual(["Zebra Stripes"]);
    expect(names(await find(exact))).toEqual(["Zebra"]);
    const one = await find("zebra", { limit: 1 });
    expect([one.details.totalResult, names(one)]).toEqual(["3", ["Zebra"]]);
    const rest = await find("zebra", { limit: 2, pageToken: one.nextPageToken });
    expect([names(rest), rest.nextPageToken]).toEqual([["Zebra Stripes", "The Zebra"], undefined]);
  });

  describe("domains", () => {
    const path = "/management/v1/orgs/me/domains";
    const generate = async (domain: string, type = "DNS") =>
      (
        await call(
          "POST",
          `${path}/${domain}/validation/_generate`,
          { type: `DOMAIN_VALIDATION_TYPE_${type}` },
          colleague,
        )
      ).body;
    const validate = (domain: string) => call("POST", `${path}/${domain}/validation/_validate`, {}, colleague);

    it("are verified once their proof is found, and not before", async () => {
      await call("POST", path, { domain: "Tested.Example" }, colleague);
      expect(refusalOf(await validate("tested.example")).id).toBe("domain.no_challenge");
      const { token, url } = await generate("tested.example");
      expect(url).toBe("_service-challenge.tested.example");
      expect(refusalOf(await validate("tested.example")).id).toBe("domain.not_proven");
      texts.set(url, ["v=spf1", `${token}x`]);
      expect(refusalOf(await validate("tested.example")).id).toBe("domain.not_proven");
      texts.set(url, ["v=spf1", token]);
      expect((await validate("tested.example")).status).toBe(200);
      expect(refusalOf(await validate("tested.example")).id).toBe("domain.already_verified");
    });

    it("that are verified elsewhere are reported only to a caller with the proof", async () => {
      const answers = await Promise.all(
        ["foreign.test", "nobodys.test"].map((domain) => call("POST", path, { domain }, colleague)),
      );
      expect(answers.map(({ status, body }) => [status, Object.keys(body)])).toEqual([
        [200, ["details"]],
        [200, ["details"]],
      ]);
      const { token, url } = await generate("foreign.test");
      expect(refusalOf(await validate("foreign.test")).id).toBe("domain.not_proven");
      texts.set(url, [token]);
      expect(refusalOf(await validate("foreign.test"))).toEqual({
        status: 409,
        code: 6,
        id: "domain.verified_elsewhere",
      });
    });

    it("are refused twice, or if they are invalid", async () => {
      const add = (domain: string) => refused("POST", path, { domain }, colleague);
      expect(await add("acme.test")).toEqual({ status: 409, code: 6, id: "domain.already_added" });
      for (const domain of ["", "a b", "127.0.0.1", "https://x.test", "x..test"]) {
        expect((await add(domain)).status).toBe(400);
      }
    });

    it("reveal the users who would lose a name only to a caller with the proof", async () => {
      const person = { userName: "eve@lost.example", profile: { firstName: "Eve", lastName: "E" } };
      await call(
        ...([
          "POST",
          "/management/v1/users/human/_import",
          { ...person, email: { email: "e@x.test" } },
          owner,
          "foreign",
        ] as const),
      );
      await call("POST", path, { domain: "lost.example" }, colleague);
      const { token, url } = await generate("lost.example");
      const preview = () => call("GET", `${path}/lost.example/_preview_claim`, undefined, colleague);
      expect(refusalOf(await preview()).id).toBe("domain.not_proven");
      texts.set(url, [token]);
      expect((await preview()).body).toEqual({
        totalResult: "1",
        users: [{ userName: "eve@lost.example", isNotified: true }],
      });
    });

    it("are not checked at addresses that are not public (server-side request forgery)", async () => {
      await call("POST", path, { domain: "inner.example" }, colleague);
      const { url, token } = await generate("inner.example", "HTTP");
      expect(url).toBe(`https://inner.example/.well-known/service-challenge/${token}`);
      const { status, body } = await validate("inner.example");
      expect([status, body.message]).toEqual([400, expect.stringContaining("no public address")]);
    });

    it("cannot be primary while unverified, nor be removed while primary", async () => {
      const prefer = (domain: string) => refused("POST", `${path}/${domain}/_set_primary`, {}, colleague);
      expect((await prefer("inner.example")).id).toBe("domain.not_verified");
      expect((await prefer("acme.test")).id).toBe("domain.is_primary");
      expect((await prefer("unknown.example")).id).toBe("domain.not_found");
      expect((await refused("DELETE", `${path}/acme.test`, undefined, colleague)).id).toBe("domain.is_primary");
    });
  });
});
