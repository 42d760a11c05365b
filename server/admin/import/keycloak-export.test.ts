import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../root";
import { newAuthenticator, type Options } from "../../testing/authenticator";
import { ruleDatabases, temporaryFolder } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { codeAt, enterPassword, formOptions, hiddenFields, pageAt, pathOf } from "../../testing/factors";
import { answerOf, authorizePath, basic, flowOf, letIn, postToken } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";
import { type ImportWords, importFile } from "../import-command";

/** What `kc.sh export` of Keycloak 26.0.7 wrote, without flows, scopes and most built-in clients. */
const EXPORT = path.join(root, "server/testing/exports/keycloak-26.json");
/** The passkey that Anna added there, in Chromium. */
const PASSKEY = JSON.parse(readFileSync(EXPORT.replace(".json", "-passkey.json"), "utf8"));
const ANNA = "9d0f0bac-9cb9-40e0-9233-e7e534aeaebd";
/** The key that Keycloak showed. */
const TOTP_SECRET = "OIYTO6LXKJ2WMSCKJE2VGVKFHB2TMY2I";

describe.each(ruleDatabases)("the export of a realm by Keycloak, on %s", (kind) => {
  let service: TestService;
  let report = "";
  const run = async (file: string, words: ImportWords = {}) => {
    const lines: string[] = [];
    const output = { out: (text: string) => lines.push(text), err: (text: string) => lines.push(text) };
    await importFile(service.ctx, ["keycloak", file], words, output);
    return lines.join("\n");
  };
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    const plan = await run(EXPORT, { "dry-run": true });
    expect(plan).toContain("links to identity providers: 2 would be imported");
    expect(plan).toContain("passkeys: 1 would be imported");
    report = await run(EXPORT);
  });
  afterAll(() => service.close());
  const enter = async (loginName: string, browser = service.browser()) => {
    const password = `old password of ${loginName.split("@")[0]}`;
    return letIn(browser, await enterPassword(browser, {}, { loginName, password }));
  };

  it("reports what was imported, and what was not and why", async () => {
    expect(report).toContain("users: 4 imported, 0 existed already, 0 refused");
    expect(report).toContain("authenticator apps: 1 imported");
    expect(report).toContain("links to identity providers: 2 imported");
    expect(report).toContain("passkeys: 1 imported");
    expect(report).toContain("roles of users in projects: 1");
    expect(report).toContain("not imported: redirect URI https://shop.example/* of shop-web: wildcards");
    expect(report).toContain("not imported: memberships of groups");
    expect(report).not.toContain("refused:");
    expect(await service.ctx.db.prisma.outboxMessage.count()).toBe(0);
  });

  it("makes clients that only have a service account machine users with their secrets", async () => {
    const form = { grant_type: "client_credentials", scope: "openid" };
    const answer = await postToken(service, form, basic("batch", "QZRMCl61eJRHINrqmQnlRJeqETWpSmS5"));
    expect(answer.status).toBe(200);
    expect(await service.ctx.db.prisma.app.count({ where: { clientId: "batch" } })).toBe(0);
  });

  it.each([
    ["carl@shop.example, whose hash is PBKDF2 by SHA-512", "carl@shop.example", "/cb"],
    ["bob, whose hash is argon2id and who must change the password", "bob", "/login/change-password"],
    [
      "anna@shop.example, whose hash is PBKDF2 by SHA-256 and who has a second factor",
      "anna@shop.example",
      "/login/mfa",
    ],
  ])("signs in %s", async (_, loginName, next) => {
    expect(pathOf(await enter(loginName))).toContain(next);
  });

  it("does not sign in a user who was disabled", async () => {
    expect(pathOf(await enter("dora@shop.example"))).toMatch(/^\/login\?/);
  });

  it("keeps the authenticator app, whose codes are accepted", async () => {
    const browser = service.browser();
    const flow = flowOf(await enter("anna@shop.example", browser));
    const code = codeAt(TOTP_SECRET, service.ctx.clock());
    const done = await browser.post("/login/mfa/submit", { flow, way: "totp", code });
    expect(answerOf(await letIn(browser, done)).get("code")).toBeTruthy();
  });

  it("keeps the passkey, which signs in without a password", async () => {
    const browser = service.browser();
    const page = await pageAt(browser, await browser.get(authorizePath()));
    const credential = newAuthenticator({ held: PASSKEY }).get(formOptions(page) as Options);
    const done = await browser.post("/login/passkey", { ...hiddenFields(page, "/login/passkey"), credential });
    expect(answerOf(await letIn(browser, done)).get("code")).toBeTruthy();
  });

  it("adds the identity providers with their links, and does not offer them yet", async () => {
    const { prisma } = service.ctx.db;
    const links = await prisma.identityLink.findMany({ where: { userId: ANNA }, orderBy: { externalId: "asc" } });
    expect(links.map(({ externalId, userName }) => [externalId, userName])).toEqual([
      ["4242", "anna-gh"],
      ["corp-anna", "anna@corp"],
    ]);
    const providers = await prisma.identityProvider.findMany({ orderBy: { name: "asc" } });
    expect(providers.map(({ name, kind: one }) => [name, one])).toEqual([
      ["Corp login", "oidc"],
      ["github", "github"],
    ]);
    const page = await service.browser().get(authorizePath());
    expect(page.headers.get("location")).not.toContain("idp");
  });

  it("changes nothing when it is repeated", async () => {
    const before = await service.ctx.db.prisma.event.count();
    const again = await run(EXPORT);
    expect(again).toContain("users: 0 imported, 4 existed already, 0 refused");
    expect(again).not.toMatch(/links|passkeys|authenticator apps/);
    expect(await service.ctx.db.prisma.event.count()).toBe(before);
  });

  it("reports passkeys of another domain, and asks for a domain that the file does not contain", async () => {
    const change = (domain: string) => {
      const file = path.join(temporaryFolder(), "realm.json");
      const changed = readFileSync(EXPORT, "utf8")
        .replaceAll(/(RpId"): "localhost"/g, `$1: "${domain}"`)
        .replaceAll(`"shop"`, `"shop-${domain}"`);
      writeFileSync(file, changed);
      return file;
    };
    const elsewhere = await run(change("old.example"), { "dry-run": true });
    expect(elsewhere).toContain("not imported: passkeys: they belong to old.example, and this service is at localhost");
    expect(await run(change(""), { "dry-run": true })).toContain("passkeys: their domain is not in the file");
    const named = await run(change(""), { "dry-run": true, "passkey-domain": "localhost" });
    expect(named).not.toContain("not imported: passkeys");
  });
});
