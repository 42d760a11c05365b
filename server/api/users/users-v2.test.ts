import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertPasskey } from "../../storage/factor/passkeys";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { everyCell } from "../../testing/cells";
import { ruleDatabases } from "../../testing/database";
import { scenarioBootstrap } from "../../testing/scenarios/all";
import { prepareFactors } from "../../testing/scenarios/users";
import { type TestService, testService } from "../../testing/test-context";

const USERS = "/management/v1/users";

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe.each(ruleDatabases)("users by version 2 on %s", (kind) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await testService(kind, scenarioBootstrap);
    tokens.owner = await apiToken(service);
    for (const name of ["colleague", "nobody"]) tokens[name] = await apiToken(service, `${name}@acme.test`);
    const grace = {
      userId: "u-grace",
      userName: "grace",
      profile: { firstName: "Grace", lastName: "Hopper", nickName: "Amazing" },
      email: { email: "Grace@mail.test", isEmailVerified: true },
      phone: { phone: "+15551234567" },
    };
    await callApi(service, "POST", `${USERS}/human/_import`, { token: tokens.owner, body: grace });
    await callApi(service, "POST", `${USERS}/machine`, {
      token: tokens.owner,
      body: { userId: "m-robot", userName: "robot", name: "Robot" },
    });
    await callApi(service, "POST", `${USERS}/machine`, {
      token: tokens.owner,
      body: { userId: "m-far", userName: "far", name: "Far" },
      headers: { "x-service-orgid": "foreign" },
    });
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown, as = "owner") =>
    callApi(service, method, path, { token: tokens[as], body });
  const found = async (queries: unknown[], as?: string): Promise<string[]> => {
    const { body } = await call("POST", "/v2/users", { queries }, as);
    return (body.result as { userId: string }[]).map(({ userId }) => userId).sort();
  };

  it("are returned with its names and those of version 1", async () => {
    const { body } = await call("GET", "/v2/users/u-grace");
    expect(body.details).toMatchObject({ sequence: expect.any(String), resourceOwner: "acme" });
    expect(body.user).toMatchObject({
      userId: "u-grace",
      username: "grace",
      state: "USER_STATE_ACTIVE",
      preferredLoginName: "grace@acme.test",
      id: "u-grace",
      userName: "grace",
      details: body.details,
      human: {
        profile: { givenName: "Grace", familyName: "Hopper", nickName: "Amazing", firstName: "Grace" },
        email: { email: "Grace@mail.test", isVerified: true, isEmailVerified: true },
        phone: { phone: "+15551234567", isVerified: false },
      },
    });
    expect((await call("GET", "/v2/users/m-robot")).body.user.machine).toMatchObject({ name: "Robot" });
  });

  const name = { userNameQuery: { userName: "GRACE", method: "TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE" } };
  const robot = { inUserIdsQuery: { userIds: ["m-robot"] } };
  const machine = { typeQuery: { type: "TYPE_MACHINE" } };
  const inAcme = { organizationIdQuery: { organizationId: "acme" } };
  it("are found by each query and their combinations", () =>
    everyCell(
      [
        ["a user name", [[name], ["u-grace"]]],
        ["another case", [[{ userNameQuery: { userName: "GRACE" } }], []]],
        ["a login name", [[{ loginNameQuery: { loginName: "grace@acme.test" } }], ["u-grace"]]],
        ["an address", [[{ emailQuery: { emailAddress: "Grace@mail.test" } }], ["u-grace"]]],
        ["addresses", [[{ inUserEmailsQuery: { userEmails: ["grace@MAIL.test", "x@y.test"] } }], ["u-grace"]]],
        ["a first name", [[{ firstNameQuery: { firstName: "Grace" } }], ["u-grace"]]],
        ["a last name", [[{ lastNameQuery: { lastName: "hop", method: "TEXT_QUERY_METHOD_STARTS_WITH" } }], []]],
        ["a nickname", [[{ nickNameQuery: { nickName: "Amazing" } }], ["u-grace"]]],
        ["a number", [[{ phoneQuery: { number: "+1555", method: "TEXT_QUERY_METHOD_STARTS_WITH" } }], ["u-grace"]]],
        ["words", [[{ textQuery: { text: "gra hop" } }], ["u-grace"]]],
        ["a type", [[machine], ["m-far", "m-robot"]]],
        ["an organization", [[machine, inAcme], ["m-robot"]]],
        ["one or the other", [[{ orQuery: { queries: [name, robot] } }], ["m-robot", "u-grace"]]],
        ["none of none", [[{ orQuery: { queries: [] } }], []]],
        ["both", [[{ andQuery: { queries: [machine, robot] } }], ["m-robot"]]],
        ["not", [[machine, { notQuery: { query: robot } }], ["m-far"]]],
        // Users without an address do not match.
        [
          "not an address",
          [
            [machine, { notQuery: { query: { emailQuery: { emailAddress: "x" } } } }],
            ["m-far", "m-robot"],
          ],
        ],
        [
          "a combination within",
          [[{ orQuery: { queries: [{ andQuery: { queries: [machine, inAcme] } }, name] } }], ["m-robot", "u-grace"]],
        ],
      ] as const,
      async ([queries, ids]) => expect(await found([...queries])).toEqual(ids),
    ));

  it("are found by metadata, of which one entry meets all filters", async () => {
    const entries = { plan: "pro", place: "home" };
    const metadata = Object.entries(entries).map(([key, text]) => ({ key, value: base64(text) }));
    expect((await call("POST", "/v2/users/u-grace/metadata", { metadata })).status).toBe(200);
    const key = (key: string, method = "TEXT_FILTER_METHOD_EQUALS") => ({ metadataKeyFilter: { key, method } });
    const value = (text: string, method = "BYTE_FILTER_METHOD_EQUALS") => {
      return { metadataValueFilter: { value: base64(text), method } };
    };
    const other = value("pro", "BYTE_FILTER_METHOD_NOT_EQUALS");
    await everyCell(
      [
        ["a key", [[key("PLA", "TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE")], ["u-grace"]]],
        ["a value", [[value("home")], ["u-grace"]]],
        ["an entry", [[key("plan"), value("pro")], ["u-grace"]]],
        ["the value of another entry", [[key("plan"), value("home")], []]],
        ["another value", [[key("plan"), other], []]],
        ["another value of any entry", [[other], ["u-grace"]]],
        ["a combination", [[{ orQuery: { queries: [{ andQuery: { queries: [key("plan"), value("home")] } }] } }], []]],
        ["not", [[name, { notQuery: { query: key("plan") } }], []]],
      ] as const,
      async ([queries, ids]) => expect(await found([...queries])).toEqual(ids),
    );
  });

  it("are listed page by page, in the requested order", async () => {
    const body = { sortingColumn: "USER_FIELD_NAME_USER_NAME", query: { limit: 1, offset: "1", asc: true } };
    const queries = [machine];
    const page = await call("POST", "/v2/users/_search", { ...body, queries });
    expect(page.body).toMatchObject({
      details: { totalResult: "2", timestamp: expect.any(String) },
      sortingColumn: "USER_FIELD_NAME_USER_NAME",
      result: [{ userId: "m-robot" }],
    });
    const refused = await call("POST", "/v2/users", { sortingColumn: "USER_FIELD_NAME_STATE" });
    expect(refusalOf(refused)).toMatchObject({ status: 400, id: "request.invalid" });
  });

  it("are found only with the caller's permissions", async () => {
    expect(await found([machine], "colleague")).toEqual(["m-robot"]);
    expect(await found([{ orQuery: { queries: [machine, robot] } }], "colleague")).toEqual(["m-robot"]);
    const far = { organizationIdQuery: { organizationId: "foreign" } };
    expect(await found([{ orQuery: { queries: [far] } }], "colleague")).toEqual([]);
    expect(await found([{ andQuery: { queries: [far] } }], "colleague")).toEqual([]);
    const denied = { status: 403, code: 7, id: "access.denied" };
    const foreign = await call("POST", "/v2/users", { queries: [far] }, "colleague");
    expect(refusalOf(foreign)).toEqual(denied);
    const unknown = { organizationIdQuery: { organizationId: "unknown" } };
    expect((await call("POST", "/v2/users", { queries: [unknown] }, "colleague")).body).toEqual(foreign.body);
    expect(refusalOf(await call("POST", "/v2/users", {}, "nobody"))).toEqual(denied);
  });

  it("are not searched with invalid or too many queries", async () => {
    const nested = (depth: number): unknown => (depth === 0 ? machine : { notQuery: { query: nested(depth - 1) } });
    const many = { orQuery: { queries: Array(20).fill({ orQuery: { queries: Array(20).fill(machine) } }) } };
    for (const queries of [[{}], [{ ...machine, ...robot }], [nested(200)], [many], [{ orQuery: { queries: [{}] } }]]) {
      expect(refusalOf(await call("POST", "/v2/users", { queries }))).toMatchObject({
        status: 400,
        id: "request.invalid",
      });
    }
    expect(await found([nested(20), robot])).toEqual(["m-robot"]);
  });

  it("show their authentication methods, which can be removed", async () => {
    await prepareFactors(service);
    const key = { publicKey: "key", counter: 0, transports: "", aaguid: "", isMultiDevice: false, isBackedUp: false };
    const stick = { id: "f-stick", userId: "u-bob", name: "Stick", ...key, isUserVerified: false };
    await service.ctx.db.transaction((tx) => insertPasskey(tx, stick, service.ctx.clock()));
    const BOB = "/v2/users/u-bob";
    const types = async () =>
      (await call("GET", `${BOB}/authentication_methods`)).body.authMethodTypes.map((type: string) =>
        type.replace("AUTHENTICATION_METHOD_TYPE_", ""),
      );
    const factors = async (body?: unknown) =>
      (await call("POST", `${BOB}/authentication_factors/_search`, body)).body.result;
    const state = "AUTH_FACTOR_STATE_READY";
    expect(await types()).toEqual(["PASSWORD", "PASSKEY", "TOTP", "U2F", "OTP_EMAIL", "RECOVERY_CODE"]);
    const u2f = { state, u2f: { id: "f-stick", name: "Stick" } };
    expect(await factors()).toEqual([{ state, otp: {} }, { state, otpEmail: {} }, u2f]);
    expect(await factors({ authFactors: ["OTP_EMAIL", 3] })).toEqual([{ state, otpEmail: {} }, u2f]);
    expect(await factors({ states: ["AUTH_FACTOR_STATE_REMOVED"] })).toEqual([]);
    expect((await call("POST", `${BOB}/passkeys/_search`, {})).body).toMatchObject({
      details: { totalResult: "1" },
      result: [{ id: "f-key", state, name: "Laptop" }],
    });
    for (const what of ["u2f/f-stick", "passkeys/f-key", "recovery_codes"]) {
      expect((await call("DELETE", `${BOB}/${what}`)).status).toBe(200);
      expect(refusalOf(await call("DELETE", `${BOB}/${what}`)).id).toBe("credential.not_found");
    }
    expect(await types()).toEqual(["PASSWORD", "TOTP", "OTP_EMAIL"]);
    expect(refusalOf(await call("GET", "/v2/users/m-robot/authentication_methods")).id).toBe("user.not_human");
  });
});
