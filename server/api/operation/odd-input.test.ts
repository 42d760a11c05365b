import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

const forged = (...cursor: unknown[]) => Buffer.from(JSON.stringify(cursor)).toString("base64url");

describe.each(databaseKinds)("unusual input of the management API on %s", (kind) => {
  let service: TestService;
  let token = "";
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
    await call("POST", "/users/machine", { userId: "robot", userName: "robot", name: "Robot" });
  });
  afterAll(() => service.close());
  const call = (method: string, path: string, body?: unknown) =>
    callApi(service, method, `/management/v1${path}`, { token, body });

  describe.each([-1, -8.63e15, 8.63e15, 253_402_300_800_000])("a page token of the time %d", (time) => {
    it.each([
      ["/projects/p1/apps/a-web/keys/_search", { query: { pageToken: forged(time, "x") } }],
      ["/events/_search", { query: { pageToken: forged(time, time) } }],
    ])("is none of %s", async (path, body) => {
      expect(refusalOf(await call("POST", path, body))).toMatchObject({ status: 400, id: "page.bad_token" });
    });

    it("is not accepted by /messages", async () => {
      const answer = await call("GET", `/messages?pageToken=${forged(time, "x")}`);
      expect(refusalOf(answer)).toMatchObject({ status: 400, id: "page.bad_token" });
    });
  });

  it("continues after a position without an event", async () => {
    const position = 253_402_300_799_999;
    const { status } = await call("POST", "/events/_search", { query: { pageToken: forged(position, position) } });
    expect(status).toBe(200);
  });

  it.each(["0000-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59-14:00"])(
    "refuses the time %s, which the databases write differently",
    async (time) => {
      const refusal = { status: 400, id: "request.invalid" };
      expect(refusalOf(await call("POST", "/events/_search", { from: time }))).toMatchObject(refusal);
      expect(refusalOf(await call("POST", "/events/_search", { to: time }))).toMatchObject(refusal);
      expect(refusalOf(await call("POST", "/users/robot/pats", { expirationDate: time }))).toMatchObject(refusal);
    },
  );

  it("accepts the last second of the year 9999, which means never", async () => {
    const expirationDate = "9999-12-31T23:59:59Z";
    expect((await call("POST", "/users/robot/pats", { expirationDate })).status).toBe(200);
    expect((await call("POST", "/users/robot/keys", { type: "KEY_TYPE_JSON", expirationDate })).status).toBe(200);
    const keys = await call("POST", "/users/robot/keys/_search", {});
    expect(keys.body.result).toMatchObject([{ expirationDate: "9999-12-31T23:59:59.000Z" }]);
    expect((await call("POST", "/users/robot/pats/_search", {})).body.result).toHaveLength(1);
    expect((await call("POST", "/events/_search", { to: expirationDate })).body.result).not.toEqual([]);
  });

  it.each([
    ["U+0000", "a\0b"],
    ["half a character", "\ud800"],
    ["depth", "deep"],
  ])("refuses a key set with %s in it", async (_, kid) => {
    const { n, e } = await exportJWK((await generateKeyPair("RS256")).publicKey);
    const key = JSON.stringify({ kty: "RSA", n, e, kid: kid === "deep" ? "k" : kid, more: "\\u0000" });
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const keys = kid === "deep" ? key.replace("}", `,"deep":${deep}}`) : key;
    const answer = await call("POST", "/projects/p1/apps/api", `{"name":"Keys","jwks":{"keys":[${keys}]}}`);
    expect(refusalOf(answer)).toMatchObject({ status: 400, id: "request.invalid" });
  });

  it("accepts a key set with U+0000 as an escape in a string", async () => {
    const { n, e } = await exportJWK((await generateKeyPair("RS256")).publicKey);
    const jwks = { keys: [{ kty: "RSA", n, e, kid: "\\u0000" }] };
    expect((await call("POST", "/projects/p1/apps/api", { name: "Keys", jwks })).status).toBe(200);
  });

  it("refuses a role with U+0000, which PostgreSQL cannot store", async () => {
    const answer = await call("POST", "/orgs/me/members/_search", { queries: [{ roleQuery: { role: "\0" } }] });
    expect(refusalOf(answer)).toMatchObject({ status: 400, id: "request.invalid" });
  });
});
