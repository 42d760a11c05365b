import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { pathOf } from "../../testing/factors";
import { fillSignIn, postToken, type Tokens } from "../../testing/flow";
import { lastMailTo } from "../../testing/mailed";
import { callerOf, credentialsOf, EVIL_CALLBACK, giveProject, tenantsBootstrap } from "../../testing/tenants";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";
import { SERVICE_SCOPE } from "../../testing/token-example";
import { recipientsOf, twoMailServers } from "../../testing/two-mail-servers";
import { confirm, outcomeOf, requestOf, type VisitOutcome, verifier } from "../../testing/visits";

/** The ways that led from a small role in one organization to the whole service, from the first step to the last. */
describe.each(ruleDatabases)("from a tenant's role to the service, on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    await giveProject(service);
  });
  afterAll(() => service.close());

  /** Signs a user in to the console, and counts the pages shown on the way. */
  async function inConsole(name: string): Promise<{ browser: TestBrowser; pages: string[] }> {
    const browser = service.browser();
    const pages: string[] = [];
    let answer = await browser.get("/console/sign-in?ask=true");
    for (let step = 0; step < 6 && answer.headers.has("location"); step++) {
      const path = pathOf(answer);
      if (path.startsWith("/login")) {
        pages.push(path.replace(/\?.*/, ""));
        answer = await fillSignIn(browser, answer, credentialsOf(name));
      } else if (path.startsWith("/console") && !/sign-in|callback/.test(path)) break;
      else answer = await browser.get(path);
    }
    return { browser, pages };
  }

  it.each(["ada", "mallory", "sam"])(
    "lets %s into the console with one page, and the console manage the service",
    async (name) => {
      const { browser, pages } = await inConsole(name);
      expect(pages).toEqual(["/login"]);
      const headers = { origin: "http://localhost:8080", "sec-fetch-site": "same-origin" };
      const own = await browser.get("/console/api/management/v1/orgs/me", headers);
      expect([200, 403]).toContain(own.status); // not 401: the token is for this service
    },
  );

  it.each(["ada", "olga", "mallory"])(
    "takes nothing of %s, who is in the console, to an app of a project's owner",
    async (name) => {
      const pete = await callerOf(service, "evil-pete");
      const { body } = await pete("POST", "/management/v1/projects/pe/apps/oidc", {
        name: `x-${name}`,
        redirectUris: [EVIL_CALLBACK],
        appType: "OIDC_APP_TYPE_USER_AGENT",
        authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
        accessTokenLifetime: "3650d",
      });
      const client = body.clientId ?? "evil-spa"; // the lifetime may have been refused
      const { browser } = await inConsole(name);
      const scope = `openid ${SERVICE_SCOPE}`;
      const ask = (prompt?: string) => browser.get(requestOf(client, { redirect_uri: EVIL_CALLBACK, scope, prompt }));
      const hidden = outcomeOf(await ask("none"));
      if (name !== "mallory") expect(hidden).toEqual({ kind: "refused", error: "interaction_required" });
      const issued: boolean[] = [];
      for (const outcome of [hidden, await confirm(browser, outcomeOf(await ask()))]) {
        const { access_token: token } = await codeOf(outcome, client);
        issued.push(token !== undefined);
        const headers = {
          authorization: `Bearer ${token ?? "none"}`,
          origin: "https://evil.test",
          "content-type": "application/json",
        };
        const search = await service.fetch("/admin/v1/orgs/_search", { method: "POST", body: "{}", headers });
        const give = JSON.stringify({ userId: "u-mallory", roles: ["IAM_OWNER"] });
        const made = await service.fetch("/admin/v1/members", { method: "POST", body: give, headers });
        expect([search.status, made.status]).toEqual([401, 401]);
      }
      // Mallory belongs to the app's organization, and is not asked first. The others let the app in.
      expect(issued).toEqual([name === "mallory", true]);
      const roles = await service.ctx.db.prisma.membership.findMany({ where: { userId: "u-mallory" } });
      expect(roles.map(({ role }) => role)).toEqual(["ORG_OWNER"]);
    },
  );

  async function codeOf(outcome: VisitOutcome, client: string): Promise<Partial<Tokens>> {
    const code = (outcome.kind === "answered" && outcome.with.get("code")) || "";
    const form = { grant_type: "authorization_code", code, redirect_uri: EVIL_CALLBACK, code_verifier: verifier };
    return (await postToken(service, { ...form, client_id: client }, null)).json() as Promise<Partial<Tokens>>;
  }

  it.each([
    ["acme-settings", "ada@acme.test"],
    ["acme-org-manager", "ada@acme.test"],
    ["acme-bot", "ada@acme.test"],
  ])("sends the code of no letter that %s has written to a place of theirs", async (name, victim) => {
    const mail = await twoMailServers(service, "shop");
    service.advance(3_601_000);
    const call = await callerOf(service, name);
    const trick = "Confirm that it was you: https://id-acme.test/confirm/{{.Code}}";
    for (const language of ["en", "de"]) {
      await call("PUT", `/management/v1/text/message/passwordreset/${language}`, {
        subject: "Action required",
        title: "Confirm your account",
        text: trick,
        buttonText: "Not me",
      });
    }
    const browser = service.browser();
    const first = await browser.get(requestOf("own"));
    const flow = new URL(first.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    await browser.post("/login/forgot-password/submit", { flow, loginName: victim });
    await mail.deliver();
    expect(recipientsOf(mail.own)).toContain(victim);
    const { code } = await lastMailTo(service, victim);
    const letter = mail.own.mails.at(-1);
    const text = `${letter?.parsed.text} ${letter?.parsed.html}`;
    await mail.stop();
    expect(text).toContain(code);
    expect(text).not.toMatch(/id-acme\.test/);
    // The service's own line is outside of the editable text: the host at which codes are entered.
    expect(text).toMatch(/\blocalhost(:8080)?(?![/\w:])/);
  });
});
