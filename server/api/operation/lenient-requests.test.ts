import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

const bootstrap = { organizations: [...exampleBootstrap.organizations, { id: "globex", name: "Globex" }] };
const PERSON = {
  user_name: "grace",
  profile: { first_name: "Grace", last_name: "Hopper", gender: 1 },
  email: { email: "grace@acme.test", is_email_verified: true },
};

describe("requests in the JSON format of protocol buffers", () => {
  let service: TestService;
  let token = "";
  beforeAll(async () => {
    service = await testService("sqlite", bootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    callApi(service, method, path, { token, body, headers });

  it("may contain names in snake_case and enums as numbers, at every depth", async () => {
    const made = await call("POST", "/management/v1/users/human/_import", PERSON);
    expect([made.status, made.headers.get("x-service-ignored")]).toEqual([200, null]);
    const { user } = (await call("GET", `/management/v1/users/${made.body.userId}`)).body;
    expect(user).toMatchObject({
      userName: "grace",
      human: { profile: { firstName: "Grace", gender: "GENDER_FEMALE" } },
    });
    const app = { name: "By numbers", redirect_uris: ["https://rp.test/cb"], response_types: [0], grant_types: [0, 2] };
    const { appId } = (await call("POST", "/management/v1/projects/p1/apps/oidc", { ...app, app_type: 0 })).body;
    const { oidcConfig } = (await call("GET", `/management/v1/projects/p1/apps/${appId}`)).body.app;
    expect(oidcConfig).toMatchObject({
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
      appType: "OIDC_APP_TYPE_WEB",
    });
    const queries = [{ user_name_query: { user_name: "gra", method: 2 } }];
    const found = await call("POST", "/management/v1/users/_search", { queries });
    expect(found.body.result.map(({ userName }: { userName: string }) => userName)).toEqual(["grace"]);
  });

  it("may contain null or empty values for omitted ones", async () => {
    const said = { nickName: "", displayName: "", preferredLanguage: "" };
    const person = {
      userName: "nothing",
      profile: { firstName: "No", lastName: "Thing", ...said },
      email: { email: "nothing@acme.test", isEmailVerified: true },
      phone: { phone: "", isPhoneVerified: false },
    };
    const made = await call("POST", "/management/v1/users/human", person);
    expect(made.status).toBe(200);
    const { user } = (await call("GET", `/management/v1/users/${made.body.userId}`)).body;
    expect(user.human.phone).toBeUndefined();
    const wrong = await call("POST", "/management/v1/users/human", { ...person, phone: { phone: "123" } });
    expect([refusalOf(wrong).id, wrong.body.details[0].field]).toEqual(["request.invalid", "phone.phone"]);

    const roles = "/management/v1/projects/p1/roles";
    const many = await call("POST", `${roles}/_bulk`, { roles: [{ key: "by-key", display_name: "", group: "" }] });
    expect(many.status).toBe(200);
    const found = await call("POST", `${roles}/_search`, { queries: [{ keyQuery: { key: "by-key" } }] });
    expect(found.body.result).toMatchObject([{ key: "by-key", displayName: "by-key" }]);
    expect(found.body.result[0].group).toBeUndefined();
    expect(refusalOf(await call("POST", `${roles}/_bulk`, { roles: [{ group: "x" }] }))).toMatchObject({ status: 400 });

    const app = { name: "Empty", redirectUris: ["https://rp.test/cb"], backChannelLogoutUri: "", jwksUri: "" };
    const { appId } = (await call("POST", "/management/v1/projects/p1/apps/oidc", app)).body;
    const at = `/management/v1/projects/p1/apps/${appId}`;
    const { name: _, ...settings } = app;
    for (const backChannelLogoutUri of ["https://rp.test/out", ""]) {
      const put = await call("PUT", `${at}/oidc_config`, { ...settings, backChannelLogoutUri });
      expect(put.status).toBe(200);
      const { oidcConfig } = (await call("GET", at)).body.app;
      expect(oidcConfig.backChannelLogoutUri ?? "").toBe(backChannelLogoutUri);
    }

    const { userId } = (await call("POST", "/management/v1/users/machine", { userName: "m", name: "M" })).body;
    const pat = await call("POST", `/management/v1/users/${userId}/pats`, { expirationDate: null });
    expect([pat.status, pat.headers.get("x-service-ignored")]).toEqual([200, "expirationDate"]);
    const late = await call("POST", `/management/v1/users/${userId}/pats`, { expirationDate: "" });
    expect(refusalOf(late)).toMatchObject({ status: 400, id: "request.invalid" });
    const nameless = await call("POST", "/management/v1/projects", { name: null });
    expect(nameless.body.message).toBe("name is required");

    const label = await call("POST", "/management/v1/policies/label", { theme_mode: 3, primaryColor: "" });
    expect(label.status).toBe(200);
    const { policy } = (await call("GET", "/management/v1/policies/label/_preview")).body;
    expect(policy.themeMode).toBe("THEME_MODE_DARK");
    expect(refusalOf(await call("PUT", "/management/v1/policies/label", { themeMode: 9 }))).toMatchObject({
      status: 400,
    });
  });

  it("may contain unknown members, which are ignored and named in the response", async () => {
    const body = {
      name: "With more",
      privateLabelingSetting: 1,
      private_labeling: true,
      owners: [{ user_id: "u-ada" }],
    };
    const answer = await call("POST", "/management/v1/projects", body);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-service-ignored")).toBe("owners, private_labeling");
  });

  it.each([
    ["/management/v1/text/message/password_change/en", { foo: 1, subject: "x" }, "foo"],
    ["/admin/v1/text/message/password_change/en", { subject: "x", Subject: "y", pre_header: "z" }, "Subject"],
    ["/management/v1/text/message/verifysmsotp/en", { title: "x", text: "{{.Code}}" }, "title"],
  ])("have them named where the text of a message is set: %s", async (path, body, ignored) => {
    const answer = await call("PUT", path, body);
    expect([answer.status, answer.headers.get("x-service-ignored")]).toEqual([200, ignored]);
    const refused = await call("PUT", path, { ...body, text: "{{.Nobody}}" });
    expect([refused.status, refused.headers.get("x-service-ignored")]).toEqual([400, ignored]);
    const preview = await call("POST", `${path}/_preview`, { fields: body, user: 1 });
    expect([preview.status, preview.headers.get("x-service-ignored")]).toEqual([200, `fields.${ignored}, user`]);
    expect((await call("PUT", path, { text: null })).headers.get("x-service-ignored")).toBeNull();
  });

  it("get them named even if the request is refused for another reason", async () => {
    const answer = await call("POST", "/management/v1/projects", { name: "", odd: 1 });
    expect(refusalOf(answer)).toMatchObject({ status: 400, id: "request.invalid" });
    expect(answer.headers.get("x-service-ignored")).toBe("odd");
  });

  it("cannot inject into the header field that names them, or exceed it", async () => {
    const odd = { "a\r\nset-cookie: x=1": 1, "ünïcode, b": 1, "(x)*~": 1, "\ud800": 1, __proto__x: 1 };
    const answer = await call("POST", "/management/v1/projects", { name: "Odd", ...odd });
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(answer.headers.get("x-service-ignored")).toMatch(/^[\w.%[\]-]+(?:, [\w.%[\]-]+)*$/);
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`m${index}`, 1]));
    const named = (await call("POST", "/management/v1/projects", { name: "Many", ...many })).headers;
    expect(named.get("x-service-ignored")).toMatch(/^m0, .*m19, \.\.\.$/);
  });

  it("are refused if a member comes in both spellings, or if a number is not in the enum", async () => {
    const both = await call("POST", "/management/v1/users/human/_import", { ...PERSON, userName: "grace2" });
    expect([refusalOf(both).id, both.body.details[0].field]).toEqual(["request.repeated_member", "userName"]);
    const unknown = { name: "x", redirectUris: ["https://rp.test/cb"], appType: 9 };
    const refused = await call("POST", "/management/v1/projects/p1/apps/oidc", unknown);
    expect([refusalOf(refused).id, refused.body.details[0].field]).toEqual(["request.invalid", "appType"]);
  });

  it.each(["constructor", "__proto__", "toString"])("may have a member %s, which means nothing", async (name) => {
    const answer = await call("POST", "/management/v1/projects", `{"name":"P ${name}","${name}":{"a":1}}`);
    expect([answer.status, answer.headers.get("x-service-ignored")]).toEqual([200, name]);
  });

  it("are parsed strictly for applied files", async () => {
    const answer = await call("POST", "/admin/v1/_apply?dryRun=true", { organisations: [] });
    expect(refusalOf(answer)).toMatchObject({ status: 400, id: "request.invalid" });
  });

  it("are refused if nested deeper than 64 levels", async () => {
    const deep = `${"[".repeat(64)}${"]".repeat(64)}`;
    const answer = await call("POST", "/management/v1/projects", `{"name":"Deep","x":${deep}}`);
    expect(refusalOf(answer)).toMatchObject({ status: 400, id: "request.invalid" });
    const german = await call("POST", "/management/v1/projects", `{"x":${deep}}`, { "accept-language": "de" });
    expect(german.body.message).toBe("Verschachteln Sie Objekte und Arrays höchstens 64 Ebenen tief.");
  });

  describe("name the organization", () => {
    const TEXT = "/management/v1/text/message/password_change/pl";
    const ownerOf = async (headers: Record<string, string>) =>
      (await call("PUT", TEXT, { title: `T ${JSON.stringify(headers).length}` }, headers)).body.details.resourceOwner;

    it("by x-zitadel-orgid like x-service-orgid; an empty header is ignored", async () => {
      expect(await ownerOf({ "x-zitadel-orgid": "globex" })).toBe("globex");
      expect(await ownerOf({ "x-service-orgid": "", "x-zitadel-orgid": "globex" })).toBe("globex");
      expect(await ownerOf({ "x-service-orgid": "" })).toBe("acme");
      const { org } = (await call("GET", "/management/v1/orgs/me", undefined, { "x-zitadel-orgid": "globex" })).body;
      expect(org.id).toBe("globex");
    });

    it("by two headers only if they agree", async () => {
      const both = { "x-service-orgid": "globex", "x-zitadel-orgid": "acme" };
      for (const [method, path] of [
        ["GET", "/management/v1/orgs/me"],
        ["GET", TEXT],
        ["GET", `${TEXT}/_explain`],
      ]) {
        expect(refusalOf(await call(method ?? "", path ?? "", undefined, both))).toMatchObject({
          status: 400,
          id: "request.two_organizations",
        });
      }
      expect(await ownerOf({ "x-service-orgid": "globex", "x-zitadel-orgid": "globex" })).toBe("globex");
    });
  });
});
