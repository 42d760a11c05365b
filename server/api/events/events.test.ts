import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listEvents } from "../../storage/event/list";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { watched, wholeReads } from "../../testing/plans";
import { type TestService, testService } from "../../testing/test-context";
import { serviceAt } from "../../testing/visits";
import type { EventAnswer } from "./event-answers";

const [acme] = exampleBootstrap.organizations;
const ADDRESS = "203.0.113.9";
const elsewhere = { id: "elsewhere", name: "Elsewhere", projects: [{ id: "p2", name: "Theirs" }] };

describe.each(databaseKinds)("the audit trail over the management API on %s", (kind) => {
  let service: TestService;
  let from: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, { organizations: [acme, elsewhere] });
    from = serviceAt(service, ADDRESS);
    token = await apiToken(from);
    await call("PUT", "/management/v1/projects/p1", { name: "=Shop, renamed", projectRoleCheck: true });
    await call("POST", "/management/v1/projects/p1/apps/a-web/oidc_config/_generate_client_secret");
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown) => callApi(from, method, path, { token, body });
  const search = async (body: object = {}, level = "admin") =>
    (await call("POST", `/${level}/v1/events/_search`, body)).body.result as EventAnswer[];

  it("lists actor, event and object, with the former values", async () => {
    const [changed] = await search({ eventTypes: ["project.changed"] });
    expect(changed).toMatchObject({
      type: "project.changed",
      aggregate: {
        type: "project",
        id: "p1",
        name: "=Shop, renamed",
        resourceOwner: "acme",
        resourceOwnerName: "ACME",
      },
      actor: { id: "u-ada", name: "Ada Lovelace", kind: "human" },
      changes: [
        { field: "name", from: "Shop", to: "=Shop, renamed" },
        { field: "projectRoleCheck", from: false, to: true },
      ],
    });
    const [added] = await search({ aggregateTypes: ["project"], aggregateId: "p2" });
    expect(added).toMatchObject({ actor: { id: "bootstrap", kind: "service" }, aggregate: { name: "Theirs" } });
  });

  it("filters by prefix of the type, by object, by actor and by time", async () => {
    const types = async (body: object) => [...new Set((await search(body)).map(({ type }) => type))].sort();
    expect(await types({ eventTypes: ["app.secret"] })).toEqual(["app.secret.set"]);
    expect(await types({ eventTypes: ["app"], aggregateId: "a-web" })).toEqual(["app.added", "app.secret.set"]);
    const byAda = ["app.secret.set", "project.changed", "user.consent.given", "user.signed_in"];
    expect(await types({ actorId: "u-ada" })).toEqual(byAda);
    const { ctx } = service;
    const at = (ms: number) => new Date(ctx.clock() + ms).toISOString();
    expect(await types({ from: at(60_000) })).toEqual([]);
    expect(await types({ to: at(-3_600_000) })).toEqual([]);
    expect(await types({ from: at(-3_600_000), to: at(60_000), eventTypes: ["project.changed"] })).toEqual([
      "project.changed",
    ]);
    expect(await types({ aggregateTypes: ["project"], eventTypes: ["app"] })).toEqual([]);
  });

  it("finds one event by its position, within the organization", async () => {
    const [theirs] = await search({ aggregateTypes: ["project"], aggregateId: "p2" });
    const [ours] = await search({ eventTypes: ["project.changed"] });
    const position = ours?.position ?? "";
    expect(await search({ position })).toEqual([ours]);
    expect((await search({ position }, "management")).map((event) => event.position)).toEqual([position]);
    expect(await search({ position: theirs?.position })).toEqual([theirs]);
    expect(await search({ position: theirs?.position }, "management")).toEqual([]);
    expect((await call("POST", "/admin/v1/events/_search", { position: "1 or 1" })).status).toBe(400);
  });

  it("continues after a page in both directions without duplicates or gaps", async () => {
    for (const asc of [true, false]) {
      const positions: number[] = [];
      let pageToken: string | undefined;
      do {
        const query = { limit: 7, asc, ...(pageToken && { pageToken }) };
        const { body } = await call("POST", "/admin/v1/events/_search", { query, eventTypes: ["app", "project"] });
        positions.push(...body.result.map(({ position }: EventAnswer) => Number(position)));
        pageToken = body.nextPageToken;
      } while (pageToken);
      expect(positions).toEqual(positions.toSorted((a, b) => (asc ? a - b : b - a)));
      expect(new Set(positions).size).toBe(positions.length);
      const all = await service.ctx.db.prisma.event.count({
        where: { aggregateType: { in: ["app", "project"] } },
      });
      expect(positions).toHaveLength(all);
    }
  });

  it("shows an organization no events of another one or of the instance", async () => {
    const owners = new Set((await search({}, "management")).map(({ aggregate }) => aggregate.resourceOwner));
    expect([...owners]).toEqual(["acme"]);
    expect(await search({ aggregateTypes: ["project"], aggregateId: "p2" }, "management")).toEqual([]);
    expect(await search({ eventTypes: ["instance"] }, "management")).toEqual([]);
  });

  it("exports everything as JSON, and as CSV without formulas", async () => {
    const json = await call("GET", "/admin/v1/events/_export");
    expect(json.headers.get("content-disposition")).toMatch(/^attachment; filename="events-\d{4}-\d\d-\d\d\.json"$/);
    expect(json.body.result).toEqual(await search({ query: { limit: 1000 } }));
    const csv = await call("GET", "/management/v1/events/_export?format=csv&eventTypes=project.changed");
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [head, line, end] = (csv.body as string).split("\r\n");
    expect(head).toMatch(/^position,date,type/);
    expect(line).toContain(`,project,p1,"'=Shop, renamed",acme,u-ada,Ada Lovelace,`);
    expect(line).toContain(`"[{""field"":""name""`);
    expect(end).toBe("");
  });

  it.each([
    ["a kind nobody knows", { eventTypes: ["app.exploded"] }, "event.unknown_type"],
    ["half a word", { eventTypes: ["ap"] }, "event.unknown_type"],
    ["an object with a control character", { aggregateId: "a\u0000" }, "request.invalid"],
    ["a time that is none", { from: "yesterday" }, "request.invalid"],
    ["a forged page", { query: { pageToken: Buffer.from('["x","y"]').toString("base64url") } }, "page.bad_token"],
  ])("refuses %s", async (_, body, id) => {
    expect(refusalOf(await call("POST", "/admin/v1/events/_search", body))).toEqual({ status: 400, code: 3, id });
  });

  it("contains the client and address of the request, and links to the object", async () => {
    const [changed] = await search({ eventTypes: ["project.changed"] }, "management");
    expect(changed).toMatchObject({
      address: ADDRESS,
      actor: { resourceOwner: "acme" },
      client: { id: expect.any(String) },
    });
    const [signedIn] = await search({ eventTypes: ["user.signed_in"], actorId: "u-ada" });
    expect(signedIn).toMatchObject({ aggregate: { kind: "human" }, client: { id: changed?.client?.id } });
    expect(signedIn?.address).toBe(ADDRESS);
    const [secret] = await search({ eventTypes: ["app.secret.set"], aggregateId: "a-web" });
    expect(secret?.aggregate).toMatchObject({ projectId: "p1", resourceOwner: "acme" });
    await call("POST", "/management/v1/orgs/me/members", { userId: "u-ada", roles: ["ORG_OWNER"] });
    const [member] = await search({ eventTypes: ["organization.member.added"] }, "management");
    const ada = { field: "userId", type: "user", id: "u-ada", name: "Ada Lovelace", kind: "human" };
    expect(member?.mentions).toEqual([{ ...ada, resourceOwner: "acme" }]);
  });

  it("keeps the name of a removed object if the event contains it", async () => {
    const { id } = (await call("POST", "/management/v1/projects", { name: "Short-lived" })).body;
    await call("POST", `/management/v1/projects/${id}/_deactivate`);
    await call("DELETE", `/management/v1/projects/${id}`);
    const events = await search({ aggregateId: id }, "management");
    expect(events.map(({ type, aggregate: { name, isRemoved } }) => [type, name, isRemoved])).toEqual([
      ["project.removed", "Short-lived", true],
      ["project.deactivated", undefined, true],
      ["project.member.added", undefined, true],
      ["project.added", "Short-lived", true],
    ]);
  });

  it("reveals to an organization neither the address nor other data of a foreign manager", async () => {
    const headers = { "x-service-orgid": "elsewhere" };
    await callApi(from, "PUT", "/management/v1/projects/p2", { token, headers, body: { name: "Hers" } });
    const wanted = { token, headers, body: { eventTypes: ["project.changed"] } };
    const [theirs] = (await callApi(from, "POST", "/management/v1/events/_search", wanted)).body.result;
    expect(theirs.actor).toEqual({ id: "u-ada", name: "Ada Lovelace", kind: "human" });
    expect(theirs).not.toHaveProperty("address");
    expect(theirs.client).toEqual({ id: expect.any(String) });
    const [seen] = await search({ eventTypes: ["project.changed"], organizationId: "elsewhere" });
    expect(seen).toMatchObject({ actor: { resourceOwner: "acme" }, address: ADDRESS });
    expect(await search({ organizationId: "elsewhere" }, "management")).toEqual([]);
  });

  it("uses an index for every search", async () => {
    const { db, seen } = watched(service.ctx.db);
    const usual = { aggregateTypes: ["app", "user"], ascending: false, limit: 10 };
    const now = service.ctx.clock();
    for (const wanted of [
      {},
      { resourceOwner: "acme" },
      { types: ["app.added", "user.signed_in"] },
      { resourceOwner: "acme", types: ["app.added"] },
      { aggregateId: "a-web" },
      { actor: "u-ada" },
      { position: 5 },
      { from: now - 1_000, to: now },
      { resourceOwner: "acme", after: 5 },
    ]) {
      await listEvents(db, { ...usual, ...wanted });
    }
    expect(seen).toHaveLength(11);
    // Newest first without a filter walks the key itself, from its end.
    const filtered = seen.filter(({ sql }) => /\bwhere\b/i.test(sql));
    expect(filtered).toHaveLength(10);
    for (const statement of filtered) expect(await wholeReads(service.ctx.db, statement)).toEqual([]);
  });
});
