import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

const APPS = "/management/v1/projects/p1/apps";

describe.each(databaseKinds)("searches of the management APIs (rule API-4) on %s", (kind) => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });

  it("lists by name, page by page, and refuses a made-up page token", async () => {
    const names: string[] = [];
    let pageToken: string | undefined;
    do {
      const { body } = await call("POST", `${APPS}/_search`, { query: { limit: 2, ...(pageToken && { pageToken }) } });
      names.push(...body.result.map(({ name }: { name: string }) => name));
      pageToken = body.nextPageToken;
      expect(Number(body.details.totalResult)).toBe(6);
    } while (pageToken !== undefined);
    const { body } = await call("POST", `${APPS}/_search`, { query: { limit: 1000 } });
    expect(names).toEqual(body.result.map(({ name }: { name: string }) => name));
    for (const forged of [
      "x",
      Buffer.from('["a",1]').toString("base64url"),
      Buffer.from('["a\\u0000","b"]').toString("base64url"),
    ]) {
      const refused = await call("POST", `${APPS}/_search`, { query: { pageToken: forged } });
      expect(refusalOf(refused)).toEqual({ status: 400, code: 3, id: "page.bad_token" });
    }
  });

  it("finds words in the name regardless of case, with literal % and _", async () => {
    await call("POST", `${APPS}/oidc`, { name: "100% Ünique_name" });
    const found = async (name: string, method: string) => {
      const queries = [{ nameQuery: { name, method: `TEXT_QUERY_METHOD_${method}` } }];
      const { body } = await call("POST", `${APPS}/_search`, { queries });
      return body.result.map(({ name }: { name: string }) => name).includes("100% Ünique_name");
    };
    expect(await found("100% Ünique_name", "EQUALS")).toBe(true);
    expect(await found("100%", "STARTS_WITH")).toBe(true);
    expect(await found("IQUE_NAME", "ENDS_WITH_IGNORE_CASE")).toBe(true);
    expect(await found("IQUE_NAME", "ENDS_WITH")).toBe(false);
    expect(await found("nique_n", "CONTAINS")).toBe(true);
    expect(await found("%nique%", "CONTAINS")).toBe(false);
    expect(await found("niqueXname", "CONTAINS")).toBe(false);
  });

  it("skips entries and reverses the order on request", async () => {
    const names = async (query: object) => {
      const { body } = await call("POST", `${APPS}/_search`, { query });
      return body.result.map(({ name }: { name: string }) => name);
    };
    const all = await names({});
    expect(await names({ offset: 2, limit: 2 })).toEqual(all.slice(2, 4));
    expect(await names({ offset: "2", limit: "2", asc: true })).toEqual(all.slice(2, 4));
    expect(await names({ asc: false })).toEqual(all.toReversed());
  });

  it.each([
    ["a limit beyond all measure", { query: { limit: 100_000 } }],
    ["an offset that is no number", { query: { offset: "many" } }],
    ["two queries in one", { queries: [{ nameQuery: { name: "a" }, clientIdQuery: { clientId: "b" } }] }],
    ["a query it does not know", { queries: [{ colourQuery: { colour: "red" } }] }],
    ["words with a control character", { queries: [{ nameQuery: { name: "a\u0000" } }] }],
    ["a body that is a list", []],
  ])("refuses %s", async (_, body) => {
    expect(refusalOf(await call("POST", `${APPS}/_search`, body))).toEqual({
      status: 400,
      code: 3,
      id: "request.invalid",
    });
  });
});
