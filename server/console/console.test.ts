import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ListInstanceMessages, ListMessages, RetryMessage } from "../../shared/generated/operations";
import { addApp } from "../directory/app/app";
import { changeDirectory } from "../directory/change";
import { addOrganization } from "../directory/organization/organization";
import { csrfToken, readConsoleTokens } from "../http/console-session";
import { insertMembership } from "../storage/user/user";
import { apiToken } from "../testing/api";
import { databaseKinds, ruleDatabases } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { answerOf, fillSignIn, postToken } from "../testing/flow";
import { BASE_URL, type TestBrowser, type TestService, testService } from "../testing/test-context";
import { openViewer } from "./viewer";

const HOUR = 3_600_000;
const locationOf = (response: Response) => response.headers.get("location") ?? "";
const pathOf = (address: string) => address.replace(BASE_URL, "");

describe.each(databaseKinds)("the console as a client of the service itself (%s)", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  /** Follows the sign-in up to the response of the callback. */
  async function atCallback(browser: TestBrowser, loginName = "ada@acme.test", path = "/console/sign-in") {
    const authorize = await browser.get(pathOf(locationOf(await browser.get(path))));
    const answered = locationOf(authorize).includes("/login?")
      ? await fillSignIn(browser, authorize, { loginName })
      : authorize;
    return pathOf(locationOf(answered));
  }

  async function signedIn(loginName?: string, path?: string): Promise<TestBrowser> {
    const browser = service.browser();
    await browser.get(await atCallback(browser, loginName, path));
    return browser;
  }

  const cookiesOf = ({ cookies }: TestBrowser) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const sameOrigin = { "sec-fetch-site": "same-origin" };
  const csrfOf = (browser: TestBrowser) => {
    const tokens = readConsoleTokens(service.ctx, cookiesOf(browser));
    return tokens ? csrfToken(service.ctx, tokens) : "";
  };
  const call = (browser: TestBrowser, path: string, headers: Record<string, string>, method = "GET", body?: string) =>
    service.fetch(path, { method, headers: { cookie: cookiesOf(browser), ...headers }, body });

  const viewerOf = async (browser: TestBrowser, organizationId?: string, rememberedOrganizationId?: string) =>
    openViewer(service.ctx, cookiesOf(browser), {
      organizationId,
      rememberedOrganizationId,
      locale: "en",
      hasAccountPage: false,
      dispatch: (request) => service.application.fetch(request),
    });

  it("returns only what the viewer may see", async () => {
    const ada = await viewerOf(await signedIn());
    expect(ada?.user).toMatchObject({ name: "Ada Lovelace", userId: "u-ada" });
    expect(ada?.organization).toMatchObject({ id: "acme", name: "ACME" });
    expect(ada?.pages).toEqual(expect.arrayContaining(["overview", "mail"]));
    const bob = await viewerOf(await signedIn("bob@acme.test"));
    expect(bob?.user).toMatchObject({ name: "Bob Builder" });
    expect(bob).toMatchObject({ pages: [], organization: undefined });
    expect(await bob?.call(ListMessages, {})).toMatchObject({ ok: false, status: 403 });
    expect(await bob?.overview()).toMatchObject({ appCount: undefined });
    expect(await viewerOf(service.browser())).toBeUndefined();
  });

  it("lists the organizations that a user manages in the order of the reader's language", async () => {
    const { ctx } = service;
    for (const [id, name] of Object.entries({
      north10: "North 10",
      north9: "north 9",
      north2: "North 2",
      oslo: "Øresund",
    })) {
      await ctx.db.transaction(async (tx) => {
        await addOrganization({ ...ctx, tx, origin: { actor: "u-ada" } }, { id, name });
        const membership = { userId: "u-bob", level: "organization", levelId: id, role: "ORG_OWNER" };
        await insertMembership(tx, membership, ctx.clock());
      });
    }
    const bob = await viewerOf(await signedIn("bob@acme.test"));
    const names = (await bob?.managedOrganizations())?.map(({ name }) => name);
    expect(names).toEqual(["North 2", "north 9", "North 10", "Øresund"]);
    await ctx.db.transaction((tx) => tx.membership.deleteMany({ where: { userId: "u-bob", level: "organization" } }));
  });

  it("opens to a project manager only that project, its apps and the playground", async () => {
    const { ctx } = service;
    const membership = { userId: "u-bob", level: "project", levelId: "p1", role: "PROJECT_OWNER" };
    await ctx.db.transaction((tx) => insertMembership(tx, membership, ctx.clock()));
    const bob = await viewerOf(await signedIn("bob@acme.test"));
    expect(bob?.organization).toMatchObject({ id: "acme", permissions: new Set() });
    expect(bob?.pages).toEqual(["overview", "apps", "projects", "playground"]);
    expect(await bob?.managedOrganizations()).toEqual([{ id: "acme", name: "ACME" }]);
    expect(await bob?.permissionsIn("p1")).toContain("project.app.write");
    expect(await bob?.permissionsIn("p2")).toEqual(new Set());
    expect(await bob?.projectsWith("project.app.write")).toEqual(["p1"]);
    const ada = await viewerOf(await signedIn());
    expect(await ada?.projectsWith("project.app.write")).toBeUndefined();
    await ctx.db.transaction((tx) => tx.membership.deleteMany({ where: membership }));
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it("requests a code with PKCE, state and nonce, for its own audience (RFC 9700 §2.1.1)", async () => {
    const query = new URL(locationOf(await service.browser().get("/console/sign-in"))).searchParams;
    expect(query.get("redirect_uri")).toBe(`${BASE_URL}/console/callback`);
    expect(query.get("code_challenge_method")).toBe("S256");
    expect(query.get("scope")).toContain("urn:service:iam:org:project:id:service:aud");
    for (const name of ["state", "nonce", "code_challenge"]) expect(query.get(name)).toMatch(/^[\w-]{43,}$/);
  });

  it("redirects to the requested page, and never elsewhere", async () => {
    const browser = service.browser();
    const asked = `/console/sign-in?to=${encodeURIComponent("/console/users?q=ada+lovelace*")}`;
    const answer = await browser.get(await atCallback(browser, undefined, asked));
    expect(locationOf(answer)).toBe(`${BASE_URL}/console/users?q=ada+lovelace*`);
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("console="));
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
    for (const to of [
      "https://evil.test/",
      "//evil.test",
      "/console/../login",
      "/consoles",
      "/console/sign-in",
      "/x",
    ]) {
      const path = await atCallback(browser, undefined, `/console/sign-in?ask=1&to=${encodeURIComponent(to)}`);
      const went = locationOf(await browser.get(path));
      expect(new URL(went).origin).toBe(BASE_URL);
      expect(new URL(went).pathname).toMatch(/^\/(console|login)$/);
    }
  });

  it.each([
    ["of another browser (login CSRF)", (path: string) => path],
    ["that was changed", (path: string) => path.replace("state=", "state=A")],
  ])("refuses a state %s", async (_, change) => {
    const other = service.browser();
    await other.get("/console/sign-in"); // it has its own sign-in in progress
    const response = await other.get(change(await atCallback(service.browser())));
    expect(response.headers.getSetCookie().filter((line) => line.startsWith("console="))).toEqual([]);
    expect(response.status).toBe(410);
  });

  it("rejects a code that another sign-in of this browser requested (nonce, PKCE)", async () => {
    const browser = service.browser();
    const first = new URL(BASE_URL + (await atCallback(browser)));
    const second = new URL(BASE_URL + (await atCallback(browser)));
    first.searchParams.set("code", second.searchParams.get("code") ?? "");
    const response = await browser.get(first.pathname + first.search);
    expect(response.status).toBe(410);
    expect(browser.cookies.has("console")).toBe(false);
  });

  it("issues codes that cannot be exchanged without the verifier", async () => {
    const path = await atCallback(service.browser());
    const code = answerOf(new Response(null, { headers: { location: BASE_URL + path } })).get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: `${BASE_URL}/console/callback` };
    const answer = await postToken(service, { ...form, client_id: "console" }, null);
    expect(await answer.json()).toMatchObject({ error: "invalid_request" });
  });

  it("calls the operation itself as the same caller as a bearer token", async () => {
    const ada = await signedIn();
    const answer = await call(ada, "/console/api/admin/v1/messages?limit=5", sameOrigin);
    expect(answer.status).toBe(200);
    const authorization = `Bearer ${await apiToken(service)}`;
    const byToken = await service.fetch("/admin/v1/messages?limit=5", { headers: { authorization } });
    expect(await answer.json()).toEqual(await byToken.json());
    const bob = await signedIn("bob@acme.test");
    expect((await call(bob, "/console/api/admin/v1/messages", sameOrigin)).status).toBe(403);
  });

  it("keeps the cookie worthless at the APIs themselves", async () => {
    expect((await call(await signedIn(), "/admin/v1/messages", sameOrigin)).status).toBe(401);
  });

  it.each<[string, string, Record<string, string>, number, string]>([
    ["a read from another site", "GET", { "sec-fetch-site": "cross-site" }, 403, "console.cross_site"],
    ["a read from a sibling host", "GET", { "sec-fetch-site": "same-site" }, 403, "console.cross_site"],
    ["a read of another origin", "GET", { origin: "https://evil.test" }, 403, "console.cross_site"],
    ["a typed address", "GET", { "sec-fetch-site": "none" }, 403, "console.cross_site"],
    ["a change that says nothing of where it comes from", "PUT", {}, 403, "console.cross_site"],
    ["a change without a token of the page", "PUT", sameOrigin, 403, "console.csrf"],
    ["a change with a wrong token", "PUT", { ...sameOrigin, "x-csrf-token": "x" }, 403, "console.csrf"],
    ["an address that is no API", "GET", { ...sameOrigin, path: "/oauth/v2/keys" }, 404, "address.not_found"],
  ])("refuses %s", async (_, method, { path = "/admin/v1/messages", ...headers }, status, id) => {
    const answer = await call(await signedIn(), `/console/api${path}`, headers, method);
    expect(answer.status).toBe(status);
    expect((await answer.json()).details[0].id).toBe(id);
  });

  it("rejects a change from a tab of the previously signed-in user", async () => {
    const bob = await signedIn("bob@acme.test");
    const ada = await signedIn();
    const path = "/console/api/management/v1/messages/x/_retry";
    const headers = { ...sameOrigin, "x-csrf-token": csrfOf(bob) };
    expect((await call(ada, path, headers, "POST")).status).toBe(403);
    const own = await call(ada, path, { ...headers, "x-csrf-token": csrfOf(ada) }, "POST");
    expect((await own.json()).details[0].id).toBe("message.not_found");
  });

  it("responds with errors in the language and the words of the page, with the slug of the operation", async () => {
    const ada = await signedIn();
    ada.cookies.set("console-language", "de");
    const headers = { ...sameOrigin, "x-csrf-token": csrfOf(ada), "content-type": "application/json" };
    const answer = await call(ada, "/console/api/management/v1/messages/x/_retry", headers, "POST");
    const { message, details } = await answer.json();
    expect({ status: answer.status, message, id: details[0].id }).toEqual({
      status: 404,
      message: "Das gibt es nicht mehr. Laden Sie die Seite neu.",
      id: "message.not_found",
    });
    const refused = await call(ada, "/console/api/admin/v1/messages", { ...sameOrigin, "x-csrf-token": "x" }, "PUT");
    expect((await refused.json()).message).toMatch(/^Diese Seite gehört/);
    ada.cookies.set("console-language", "en");
    const empty = await call(ada, "/console/api/management/v1/projects", headers, "POST", "{}");
    expect((await empty.json()).message).toBe("name: Fill in this field."); // for developers "name is required"
  });

  it("renews an expired token without a page, by script and by navigation", async () => {
    const browser = await signedIn();
    service.advance(HOUR + 1_000);
    expect((await call(browser, "/console/api/admin/v1/messages", sameOrigin)).status).toBe(401);
    const csrf = csrfOf(browser);
    const renewed = await browser.get(await atCallback(browser, undefined, "/console/sign-in?for=script"));
    expect(renewed.status).toBe(204);
    expect((await call(browser, "/console/api/admin/v1/messages", sameOrigin)).status).toBe(200);
    expect(csrfOf(browser)).toBe(csrf); // so that open pages keep working
  });

  it("informs the script if no user is signed in, and shows the sign-in page on navigation", async () => {
    const browser = service.browser();
    const byScript = await browser.get(await atCallback(browser, undefined, "/console/sign-in?for=script"));
    expect(byScript.status).toBe(401);
    const ada = await signedIn();
    ada.cookies.delete("ua");
    const quiet = await ada.get(await atCallback(ada, undefined, "/console/sign-in?to=%2Fconsole%2Fmail"));
    expect(pathOf(locationOf(quiet))).toBe("/console/sign-in?ask=1&to=%2Fconsole%2Fmail");
    const asked = await ada.get(pathOf(locationOf(await ada.get(pathOf(locationOf(quiet))))));
    expect(locationOf(asked)).toContain("/login?flow=");
  });

  it("signs out at the end session endpoint, and only from its own pages", async () => {
    const ada = await signedIn();
    const kept = cookiesOf(ada);
    expect((await ada.post("/console/sign-out", { csrf: "x" })).status).toBe(403);
    const answer = await ada.post("/console/sign-out", { csrf: csrfOf(ada) });
    expect(ada.cookies.has("console")).toBe(false);
    expect(locationOf(await ada.get(pathOf(locationOf(answer))))).toBe(`${BASE_URL}/logout/done`);
    const copied = await service.fetch("/console/api/admin/v1/messages", { headers: { ...sameOrigin, cookie: kept } });
    expect(copied.status).toBe(401);
  });

  it("opens an organization by its address only to users with a permission in it", async () => {
    const globex = { id: "globex", name: "Globex" };
    await changeDirectory({ ...service.ctx, origin: { actor: "u-ada" } }, (ctx) => addOrganization(ctx, globex));
    const ada = await signedIn();
    expect((await viewerOf(ada, "globex"))?.organization).toMatchObject({ id: "globex" });
    expect((await viewerOf(ada, "nowhere"))?.organization).toBeUndefined();
    const bob = await signedIn("bob@acme.test");
    expect((await viewerOf(bob, "globex"))?.organization).toBeUndefined();
    // A remembered organization has no influence.
    expect((await viewerOf(ada, undefined, "globex"))?.organization).toMatchObject({ id: "globex" });
    expect((await viewerOf(ada, undefined, "nowhere"))?.organization).toMatchObject({ id: "acme" });
    expect((await viewerOf(bob, undefined, "globex"))?.organization).toBeUndefined();
  });

  it("opens the managed organization for managers of an organization other than their own", async () => {
    const { ctx } = service;
    const membership = { userId: "u-bob", level: "organization", levelId: "globex", role: "ORG_OWNER" };
    await ctx.db.transaction((tx) => insertMembership(tx, membership, ctx.clock()));
    const bob = await viewerOf(await signedIn("bob@acme.test"));
    expect(bob?.organization).toMatchObject({ id: "globex" });
    expect(bob?.pages).toEqual(expect.arrayContaining(["overview", "organization", "users"]));
    expect(bob?.pages).not.toContain("keys");
    expect(await bob?.managedOrganizations()).toEqual([{ id: "globex", name: "Globex" }]);
    await ctx.db.transaction((tx) => tx.membership.deleteMany({ where: membership }));
  });

  it("reaches every operation from a page, for the organization of the page", async () => {
    const viewer = await viewerOf(await signedIn());
    const found = await viewer?.call(ListInstanceMessages, { query: { limit: "1" } });
    expect(found).toMatchObject({ ok: true, status: 200 });
    const refused = await viewer?.call(RetryMessage, { at: { id: "x" } });
    expect(refused).toMatchObject({ ok: false, status: 404, refusal: { id: "message.not_found" } });
  });

  it("reserves its client id", async () => {
    const app = { projectId: "p1", organizationId: "acme", name: "x", kind: "oidc", clientId: "console" } as const;
    const adding = changeDirectory({ ...service.ctx, origin: { actor: "u-ada" } }, (ctx) => addApp(ctx, app));
    expect(await adding).toMatchObject({ id: "app.reserved_client_id" });
  });
});
