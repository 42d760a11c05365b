import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiCall, apiToken, callApi, refusalOf } from "../../testing/api";
import { countAllRows } from "../../testing/bare-context";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { authorize, redeem, type Tokens } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";

const PATH = "/management/v1/text/message/password_change/en";

describe.each(ruleDatabases)("bad input to message texts (rules TEXT-4, TEXT-7, API-12) on %s", (kind) => {
  let service: TestService;
  let token: string;
  let before: Record<string, number>;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());
  const call = (method: string, path: string, more: ApiCall = {}) => callApi(service, method, path, { token, ...more });
  const put = (body: unknown, headers?: Record<string, string>) => call("PUT", PATH, { body, headers });
  /** Runs the calls and sees that none of them wrote anything. */
  const writingNothing = async (calls: () => Promise<void>) => {
    before = await countAllRows(service.ctx);
    await calls();
    expect(await countAllRows(service.ctx)).toEqual(before);
  };

  it("refuses callers without a token, with one of another audience, or with a cookie: 401", () =>
    writingNothing(async () => {
      const browser = service.browser();
      const code = (await authorize(browser)).get("code") ?? "";
      const { access_token } = (await (await redeem(service, code)).json()) as Tokens;
      before = await countAllRows(service.ctx);
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const body = { title: "T" };
      for (const [call, id] of [
        [{ token: undefined, body }, "access.token_missing"],
        [{ token: "x", body }, "access.token_invalid"],
        [{ token: access_token, body }, "access.audience_missing"],
        [{ token: undefined, body, headers: { cookie } }, "access.token_missing"],
        [{ token: undefined, body, headers: { cookie, origin: "https://evil.test" } }, "access.token_missing"],
      ] as const) {
        const answer = await callApi(service, "PUT", PATH, call);
        expect(refusalOf(answer)).toEqual({ status: 401, code: 16, id });
        expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
      }
      const inQuery = await callApi(service, "GET", `${PATH}?access_token=${token}`);
      expect(inQuery.status).toBe(401);
    }));

  it.each(["xx", "en-US", "pt-BR", "zh-TW", "en%2f..", "%00", "en%00", "%zz", "e n", "*", "e".repeat(300), "_explain"])(
    "refuses the language %s: 400, code 3",
    (language) =>
      writingNothing(async () => {
        for (const method of ["GET", "PUT", "DELETE"]) {
          const body = method === "PUT" ? {} : undefined;
          const answer = await call(method, PATH.replace("/en", `/${language}`), { body });
          expect(refusalOf(answer)).toEqual({ status: 400, code: 3, id: "language.not_supported" });
          expect(answer.body.details[0].field).toBe("language");
        }
      }),
  );

  it.each([
    ["title", 500],
    ["preHeader", 500],
    ["subject", 500],
    ["greeting", 1_000],
    ["text", 10_000],
    ["buttonText", 500],
    ["footerText", 2_000],
  ])("takes %s of %i characters, emoji counting one, and not one more", async (field, limit) => {
    for (const character of ["a", "😀", "ü", "字"]) {
      expect((await put({ [field]: character.repeat(limit) })).status).toBe(200);
      expect((await call("GET", PATH)).body.customText[field]).toBe(character.repeat(limit));
      const refused = await put({ [field]: character.repeat(limit + 1) });
      expect(refusalOf(refused)).toEqual({ status: 400, code: 3, id: "message_text.too_long" });
      expect(refused.body.details[0]).toMatchObject({ field, limit, position: limit });
    }
  });

  it("accepts the largest possible text in its longest encoding", async () => {
    const wide = (count: number) => "\\ud83d\\ude00".repeat(count);
    const body = `{"title":"${wide(500)}","preHeader":"${wide(500)}","subject":"${wide(500)}","greeting":"${wide(1000)}",
      "text":"${wide(10_000)}","buttonText":"${wide(500)}","footerText":"${wide(2000)}"}`;
    expect((await put(body)).status).toBe(200);
  });

  it.each([
    ["not JSON", "{", "request.malformed"],
    ["two values", "{} {}", "request.malformed"],
    ["a trailing comma", '{"title":"T",}', "request.malformed"],
    ["one name twice", '{"title":"a","text":"b","title":"a"}', "request.repeated_member"],
    ["one name in two spellings", '{"title":"a","t\\u0069tle":"b"}', "request.repeated_member"],
    ["one field by both its names", '{"preHeader":"a","pre_header":"b"}', "request.repeated_member"],
    ["an array", "[]", "request.no_object"],
    ["null", "null", "request.no_object"],
    ["a string", '"title"', "request.no_object"],
    ["a number as field", '{"title":1}', "request.wrong_type"],
    ["a list as field", '{"pre_header":["a"]}', "request.wrong_type"],
    ["an object as field", '{"text":{"toString":"x"}}', "request.wrong_type"],
    ["half a character", '{"title":"a\\ud800"}', "message_text.lone_surrogate"],
    ["the other half", '{"title":"\\udc00a"}', "message_text.lone_surrogate"],
    ["a null character", '{"title":"a\\u0000b"}', "message_text.control_character"],
    ["an unknown variable", '{"title":"{{.Password}}"}', "message_text.unknown_variable"],
    ["another type's variable", '{"title":"{{.Code}}"}', "message_text.foreign_variable"],
    ["a function", '{"title":"{{printf .UserName}}"}', "message_text.template_syntax"],
    ["a loop", '{"title":"{{range}}"}', "message_text.template_syntax"],
    ["a pipeline", '{"title":"{{.UserName | html}}"}', "message_text.template_syntax"],
    ["unclosed braces", '{"title":"{{.UserName"}', "message_text.unclosed_braces"],
  ])("refuses %s: 400, code 3", (_, body, id) =>
    writingNothing(async () => {
      expect(refusalOf(await put(body))).toEqual({ status: 400, code: 3, id });
    }),
  );

  it("refuses bodies whose type is not JSON, or that are not UTF-8", () =>
    writingNothing(async () => {
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/xml",
      ]) {
        const answer = await put('{"title":"T"}', { "content-type": type });
        expect(refusalOf(answer)).toEqual({ status: 400, code: 3, id: "request.not_json" });
      }
      for (const coding of ["gzip", "br", "identity, gzip"]) {
        const answer = await put({ title: "T" }, { "content-encoding": coding });
        expect(refusalOf(answer)).toEqual({ status: 400, code: 3, id: "request.encoded" });
      }
      const response = await service.fetch(PATH, {
        method: "PUT",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: Buffer.from([0x7b, 0x22, 0x74, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
      });
      expect(response.status).toBe(400);
    }));

  it("refuses a body larger than any text: 413", async () => {
    const answer = await put({ text: "a".repeat(300_000) });
    expect(answer).toMatchObject({ status: 413, body: { code: 3, details: [{ id: "request.too_large" }] } });
  });

  it("names every mistake with its field, place and remedy", async () => {
    const { body } = await put({ title: "😀 {{.UserNam}}", text: "{{ }} and {{.Code}}" });
    expect(body.details).toMatchObject([
      { id: "message_text.unknown_variable", field: "title", position: 2, suggestion: "{{.UserName}}" },
      { id: "message_text.empty_braces", field: "text" },
      { id: "message_text.foreign_variable", field: "text", position: 10 },
    ]);
    for (const detail of body.details) expect(detail["@type"]).toBe("type.googleapis.com/service.v1.ErrorDetail");
  });

  it("keeps text that resembles other templates, markup or prototypes unchanged", async () => {
    const title = "\u0024{7*7} <%= 1 %> #{1} {x} <script>alert(1)</script>";
    const { status, body } = await put(
      `{"title":${JSON.stringify(title)},"__proto__":{"subject":"x"},"constructor":1}`,
    );
    expect(status).toBe(200);
    expect(body.warnings).toMatchObject([{ id: "message_text.markup", field: "title" }]);
    expect((await call("GET", PATH)).body.customText).toEqual({ title, details: expect.anything() });
    const { body: preview } = await call("POST", `${PATH}/_preview`);
    expect(preview.html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(preview.html).not.toContain("<script");
    expect(preview.text).toContain("<script>alert(1)</script>");
  });

  it("rejects unknown addresses and methods in its error format, for any Accept header", async () => {
    for (const path of ["/admin/v1/nothing", "/management/v1", "/v2/nothing", "/admin/v1/text/message/nothing/en"]) {
      const answer = await call("GET", path, { headers: { accept: "text/html" } });
      expect(refusalOf(answer)).toEqual({ status: 404, code: 5, id: "address.not_found" });
    }
    for (const method of ["POST", "PATCH"]) {
      const answer = await call(method, PATH, { headers: { accept: "text/html" } });
      expect(refusalOf(answer)).toEqual({ status: 405, code: 12, id: "address.method_not_allowed" });
      expect(answer.headers.get("allow")).toBe("GET, HEAD, PUT, DELETE");
    }
  });
});
