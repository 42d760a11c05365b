import { describe, expect, it } from "vitest";
import { localizedReport } from "./reports";

describe("reports of mistakes in the language of the console", () => {
  it("say why an address cannot be registered", async () => {
    const verdict = { valid: false, reason: "must use https", suggestion: "https://a.test/cb", warnings: [] };
    const answer = Response.json(verdict, { headers: { "cache-control": "no-store" } });
    const said = await localizedReport(answer, "/management/v1/apps/_check_redirect_uri", "de");
    expect(said.headers.get("cache-control")).toBe("no-store");
    expect(await said.json()).toEqual({ ...verdict, reason: "Muss mit https:// beginnen." });
  });

  it("say of each row of an import why it is refused, and leave the others as they are", async () => {
    const error = { id: "request.invalid", message: "email.email is not an e-mail address", field: "email.email" };
    const taken = { id: "user.already_exists", message: "Somebody has this user name already.", field: "userName" };
    const rows = [
      { index: 0, userName: "a" },
      { index: 1, userName: "b", error },
      { index: 2, userName: "c", error: taken },
    ];
    const report = { dryRun: true, created: 1, refused: 2, results: rows };
    const said = await localizedReport(Response.json(report), "/management/v1/users/_bulk_import", "de");
    const { results, ...counts } = await said.json();
    expect(counts).toEqual({ dryRun: true, created: 1, refused: 2 });
    expect(results[0]).toEqual(rows[0]);
    expect(results[1].error).toEqual({ ...error, message: "email.email: Das ist keine E-Mail-Adresse." });
    expect(results[2].error).toEqual({ ...taken, message: "Diesen Benutzernamen hat schon jemand." });
  });

  it.each(["/management/v1/users/_search", "/management/v1/apps/_check"])("leave %s alone", async (path) => {
    const answer = Response.json({ reason: "must use https" });
    expect(await localizedReport(answer, path, "de")).toBe(answer);
  });
});
