import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { scenarioBootstrap } from "../../testing/scenarios/all";
import { type TestService, testService } from "../../testing/test-context";

const DENIED = { status: 403, code: 7, id: "access.denied" };
const NONE = { pagination: { totalResult: "0", appliedLimit: "100" }, result: [] };

describe.each(ruleDatabases)("credentials and metadata of users, by version 2, on %s", (kind) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await testService(kind, scenarioBootstrap);
    tokens.owner = await apiToken(service);
    for (const name of ["colleague", "nobody"]) tokens[name] = await apiToken(service, `${name}@acme.test`);
    for (const [id, organizationId] of [
      ["m-one", "acme"],
      ["m-two", "acme"],
      ["m-far", "foreign"],
    ] as const) {
      const { status } = await callApi(service, "POST", "/management/v1/users/machine", {
        token: tokens.owner,
        body: { userId: id, userName: id, name: id },
        headers: { "x-service-orgid": organizationId },
      });
      expect(status).toBe(200);
    }
  });
  afterAll(() => service.close());

  const call = async (method: string, path: string, body?: unknown, as = "colleague") =>
    callApi(service, method, `/v2/users${path}`, { token: tokens[as], body });
  const done = async (...request: Parameters<typeof call>) => {
    const answer = await call(...request);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };

  it("keys are added, found by filters and removed", async () => {
    const { keyId, keyContent } = await done("POST", "/m-one/keys", { expirationDate: "2090-01-01T00:00:00Z" });
    const file = JSON.parse(Buffer.from(keyContent, "base64").toString());
    expect(file).toMatchObject({ type: "serviceaccount", keyId, userId: "m-one" });
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const pem = publicKey.export({ format: "pem", type: "spki" }) as string;
    const second = await done("POST", "/m-two/keys", { publicKey: Buffer.from(pem).toString("base64") });
    expect(second).toEqual({ keyId: expect.any(String), creationDate: expect.any(String) });
    await done("POST", "/m-far/keys", { publicKey: pem }, "owner");

    const found = async (filters: unknown[], as?: string) => {
      const { result } = await done("POST", "/keys/search", { filters }, as);
      return (result as { userId: string }[]).map(({ userId }) => userId).sort();
    };
    expect(await found([])).toEqual(["m-one", "m-two"]);
    expect(await found([], "owner")).toEqual(["m-far", "m-one", "m-two"]);
    expect(await found([{ organizationIdFilter: { id: "foreign" } }], "owner")).toEqual(["m-far"]);
    expect(await found([{ userIdFilter: { id: "m-two" } }])).toEqual(["m-two"]);
    expect(await found([{ keyIdFilter: { id: keyId } }])).toEqual(["m-one"]);
    const until = (method: string) => ({
      timestamp: "2090-01-01T00:00:00Z",
      method: `TIMESTAMP_FILTER_METHOD_${method}`,
    });
    expect(await found([{ expirationDateFilter: until("BEFORE_OR_EQUALS") }])).toEqual(["m-one"]);
    expect(await found([{ expirationDateFilter: until("BEFORE") }])).toEqual([]);
    expect(await found([{ createdDateFilter: until("BEFORE") }])).toEqual(["m-one", "m-two"]);

    const { result } = await done("POST", "/m-one/keys/search");
    expect(result).toEqual([
      {
        id: keyId,
        userId: "m-one",
        organizationId: "acme",
        expirationDate: "2090-01-01T00:00:00.000Z",
        creationDate: expect.any(String),
        changeDate: expect.any(String),
      },
    ]);
    expect(await done("DELETE", `/m-one/keys/${keyId}`)).toEqual({ deletionDate: expect.any(String) });
    expect((await done("POST", "/m-one/keys/_search", {})).result).toEqual([]);
  });

  it("personal access tokens are made, found and revoked, and the secret is set and removed", async () => {
    const { token, tokenId } = await done("POST", "/m-one/pats", { expirationDate: "2090-01-01T00:00:00Z" });
    const filters = [{ userIdFilter: { id: "m-one" } }, { tokenIdFilter: { id: tokenId } }];
    expect(await done("POST", "/pats/search", { pagination: { limit: 5 }, filters })).toMatchObject({
      pagination: { totalResult: "1", appliedLimit: "5" },
      result: [{ id: tokenId, userId: "m-one", organizationId: "acme" }],
    });
    // The machine may nothing, but the token is one.
    expect(refusalOf(await callApi(service, "GET", "/v2/users/m-one", { token }))).toEqual(DENIED);
    await done("DELETE", `/m-one/pats/${tokenId}`);
    expect((await callApi(service, "GET", "/v2/users/m-one", { token })).status).toBe(401);
    expect(await done("POST", "/m-one/pats/_search", {})).toEqual(NONE);

    const { clientId, clientSecret } = await done("POST", "/m-one/secret", {});
    expect([clientId, typeof clientSecret]).toEqual(["m-one", "string"]);
    await done("DELETE", "/m-one/secret");
    expect(refusalOf(await call("DELETE", "/m-one/secret"))).toMatchObject({ status: 404, id: "machine.no_secret" });
    expect(refusalOf(await call("POST", "/u-bob/secret", {}))).toMatchObject({ status: 400, id: "user.not_machine" });
  });

  it("are not found without permission, and their organization is not revealed", async () => {
    for (const what of ["keys", "pats"]) {
      const far = await done("POST", `/${what}/search`, { filters: [{ userIdFilter: { id: "m-far" } }] });
      expect(far).toEqual(NONE);
      expect(await done("POST", `/${what}/search`, { filters: [{ userIdFilter: { id: "m-none" } }] })).toEqual(far);
      for (const id of ["foreign", "unknown"]) {
        const answer = await call("POST", `/${what}/search`, { filters: [{ organizationIdFilter: { id } }] });
        expect(refusalOf(answer)).toEqual(DENIED);
      }
      expect(refusalOf(await call("POST", `/${what}/search`, {}, "nobody"))).toEqual(DENIED);
      expect(refusalOf(await call("POST", `/m-far/${what}`, {}))).toEqual(DENIED);
    }
  });

  it("metadata are set all or none, found by their keys, and removed all or none", async () => {
    const value = (text: string) => Buffer.from(text).toString("base64");
    const shoes = { key: "shoe,size", value: value("42") };
    const hats = { key: "hat-size", value: value("58") };
    expect(await done("POST", "/u-bob/metadata", { metadata: [shoes, hats] })).toEqual({
      setDate: expect.any(String),
    });
    const many = Array.from({ length: 100 }, (_, number) => ({ key: `n${number}`, value: value("1") }));
    expect(refusalOf(await call("POST", "/u-bob/metadata", { metadata: many })).id).toBe("metadata.too_many");
    for (const metadata of [[], [...many, hats], [{ key: "", value: value("1") }], [{ key: "k", value: "" }]]) {
      expect(refusalOf(await call("POST", "/u-bob/metadata", { metadata })).id).toBe("request.invalid");
    }
    const search = (body: unknown) => done("POST", "/u-bob/metadata/search", body);
    expect(await search({ pagination: { limit: 1, offset: 1 } })).toMatchObject({
      pagination: { totalResult: "2", appliedLimit: "1" },
      metadata: [{ ...shoes, creationDate: expect.any(String), changeDate: expect.any(String) }],
    });
    const method = "TEXT_FILTER_METHOD_ENDS_WITH_IGNORE_CASE";
    expect((await search({ filters: [{ keyFilter: { key: "-SIZE", method } }] })).metadata).toMatchObject([hats]);
    expect((await search({ filters: [{ keyFilter: { key: "-SIZE", method: 6 } }] })).metadata).toEqual([]);

    const two = `keys=${encodeURIComponent(shoes.key)}&keys=${hats.key}`;
    expect(refusalOf(await call("DELETE", `/u-bob/metadata?${two}&keys=none`)).id).toBe("metadata.not_found");
    expect(refusalOf(await call("DELETE", "/u-bob/metadata")).id).toBe("request.invalid");
    expect((await search({})).metadata).toHaveLength(2);
    expect(await done("DELETE", `/u-bob/metadata?${two}`)).toEqual({ deletionDate: expect.any(String) });
    expect((await search({})).metadata).toEqual([]);
  });
});
