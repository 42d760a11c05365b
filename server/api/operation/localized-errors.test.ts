import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi } from "../../testing/api";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

describe("errors of the management APIs in the caller's language (RFC 9110 §12.5.4)", () => {
  let service: TestService;
  let token = "";
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  const nobody = async (language?: string) => {
    const headers: Record<string, string> = language === undefined ? {} : { "accept-language": language };
    const {
      status,
      body,
      headers: answered,
    } = await callApi(service, "GET", "/management/v1/users/nobody", {
      token,
      headers,
    });
    expect([status, body.code, body.details[0].id]).toEqual([404, 5, "user.not_found"]);
    return [body.message, answered.get("content-language")];
  };

  it("are in the first available requested language, and name it", async () => {
    expect(await nobody("de-AT, en;q=0.5")).toEqual([
      "Hier hat kein Benutzer diese ID. Prüfen Sie sie, und versuchen Sie es noch einmal.",
      "de",
    ]);
    expect((await nobody("xx, ja"))[1]).toBe("ja");
  });

  it.each([undefined, "*", "xx", "de;q=0"])("are English for %j", async (language) => {
    expect((await nobody(language))[1]).toBe("en");
  });

  it("keep the challenge in ASCII (RFC 6750 §3)", async () => {
    const headers = { "accept-language": "ja", authorization: "Bearer nonsense" };
    const { status, headers: answered, body } = await callApi(service, "GET", "/management/v1/users/x", { headers });
    expect(status).toBe(401);
    expect(answered.get("www-authenticate")).toMatch(/^[\x20-\x7e]*error="invalid_token"[\x20-\x7e]*$/);
    expect(body.message).toMatch(/[^\x20-\x7e]/);
  });

  it("name the fields and the reasons in that language, also for failures inside a response", async () => {
    const ask = (path: string, body: object) =>
      callApi(service, "POST", `/management/v1${path}`, { token, body, headers: { "accept-language": "de" } });
    const refused = await ask("/users/human/_import", { userName: "" });
    const wrong = refused.body.details.map((detail: { message: string }) => detail.message);
    expect(wrong).toContain("userName: Füllen Sie dieses Feld aus.");
    expect(wrong).toContain("profile: Füllen Sie dieses Feld aus.");
    const users = [{ userName: "x", profile: { firstName: "X", lastName: "Y" }, email: { email: "x" } }, {}];
    const report = await ask("/users/_bulk_import", { dryRun: true, users });
    expect(report.body.results.map(({ error }: { error: { message: string } }) => error.message)).toEqual([
      "email.email: Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.",
      "userName: Füllen Sie dieses Feld aus.",
    ]);
    const checked = await ask("/apps/_check_redirect_uri", { uri: "https://a.test/#x" });
    expect(checked.body).toMatchObject({ valid: false, reason: "Fragmente (#…) sind nicht erlaubt." });
  });
});
