import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { answerOf, authorizePath, errorOf, letIn } from "../../testing/flow";
import { atHome } from "../../testing/own-account";
import { registeringAt, TOOL_CALLBACK } from "../../testing/registering";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";

describe.each(ruleDatabases)("oidcc-3rdparty-init-login-certification-test-plan, on %s", (kind) => {
  let service: TestService;
  let at: ReturnType<typeof registeringAt>;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    at = registeringAt(service);
    await at.allow(true);
  });
  afterAll(() => service.close());

  const initiate_login_uri = "https://tool.test/start?from=account";

  it("oidcc-3rd_party-init-login", async () => {
    const client = await at.registered({ initiate_login_uri, client_name: "Notes" });
    expect(client.initiate_login_uri).toBe(initiate_login_uri);
    const home = await atHome(service);
    expect(await home.page("apps")).not.toContain("tool.test");
    const first = await letIn(home.browser, await home.browser.get(authorizePath(at.request(client))));
    expect(answerOf(first).get("code")).toBeTruthy();

    const [, href = ""] = /href="(https:\/\/tool\.test\/start[^"]*)"/.exec(await home.page("apps")) ?? [];
    const started = new URL(href.replaceAll("&amp;", "&"));
    expect(Object.fromEntries(started.searchParams)).toEqual({
      from: "account",
      iss: BASE_URL,
      login_hint: home.loginName,
    });
    // The app sends the hint back, and the user is not asked again.
    const login_hint = started.searchParams.get("login_hint") ?? "";
    const response = await home.browser.get(authorizePath(at.request(client, { login_hint })));
    expect(answerOf(response).get("code")).toBeTruthy();
  });

  it("oidcc-3rd_party-init-login-nohttps", async () => {
    const response = await at.post({ redirect_uris: [TOOL_CALLBACK], initiate_login_uri: "http://tool.test/start" });
    expect(await errorOf(response)).toEqual({ status: 400, error: "invalid_client_metadata" });
  });

  it("gives an app with pairwise subjects no login name", async () => {
    const client = await at.registered({ initiate_login_uri, subject_type: "pairwise" });
    const home = await atHome(service);
    await letIn(home.browser, await home.browser.get(authorizePath(at.request(client))));
    const page = await home.page("apps");
    expect(page).toContain("https://tool.test/start?from=account&amp;iss=");
    expect(page).not.toContain("login_hint");
  });
});
