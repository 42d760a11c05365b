import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { EVIL_VISITS, tenantsBootstrap } from "../../testing/tenants";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";
import { P1_SCOPE, SERVICE_SCOPE } from "../../testing/token-example";
import { confirm, signedIn, visit } from "../../testing/visits";

/** People of ACME, the owner of the service among them, and of a bystander. */
const PEOPLE = ["ada", "bob", "sam"] as const;
const RESERVED = [
  "urn:service:iam:org:id:acme",
  "urn:service:iam:org:domain:primary:acme.test",
  "urn:service:iam:org:idp:id:any",
  "urn:service:iam:user:resourceowner",
  "urn:service:iam:user:metadata",
  "urn:service:iam:org:projects:roles",
  "urn:service:iam:org:project:role:acme-admin",
  "urn:service:iam:org:roles:id:acme",
  P1_SCOPE,
  SERVICE_SCOPE,
];

describe.each(ruleDatabases)("users who visit an app of another organization, on %s", (kind) => {
  let service: TestService;
  let scopes: string[];
  let responseTypes: string[];
  const browsers = new Map<string, TestBrowser>();
  const browserOf = (name: string) => browsers.get(name) ?? service.browser();
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    for (const name of [...PEOPLE, "carl", "tess"]) browsers.set(name, await signedIn(service, name));
    // Read from discovery, so that a new scope or response type is tried by itself.
    const answer = await service.fetch("/.well-known/openid-configuration");
    const discovery = (await answer.json()) as Record<string, string[]>;
    responseTypes = discovery.response_types_supported ?? [];
    const standard = (discovery.scopes_supported ?? []).filter((scope) => scope !== "openid");
    scopes = [
      "openid",
      ...[...standard, ...RESERVED].map((scope) => `openid ${scope}`),
      ["openid", ...standard, ...RESERVED].join(" "),
    ];
  });
  afterAll(() => service.close());

  /** Every app with every response type it is registered for. */
  const visits = () =>
    Object.keys(EVIL_VISITS).flatMap((client) => {
      const fitting = responseTypes.filter((type) => (client === "evil-implicit") !== (type === "code"));
      return fitting.map((response_type) => ({ client, response_type }));
    });

  it.each(PEOPLE)("never sends %s back without a page", async (name) => {
    const silent: string[] = [];
    for (const { client, response_type } of visits()) {
      for (const scope of scopes) {
        if (name === "sam" && /org:(id|domain)/.test(scope)) continue; // refuses people of other organizations
        const hidden = await visit(browserOf(name), client, { response_type, scope, prompt: "none" });
        const shown = await visit(browserOf(name), client, { response_type, scope });
        const what = `${client} ${response_type} ${scope}`;
        if (hidden.kind !== "refused" || hidden.error !== "interaction_required") {
          silent.push(`${what}, prompt=none: ${hidden.kind} ${hidden.kind === "refused" ? hidden.error : ""}`);
        }
        if (shown.kind !== "asked" || shown.page !== "/login/continue") silent.push(`${what}: ${shown.kind}`);
      }
    }
    expect(silent.slice(0, 10)).toEqual([]);
    expect(visits().length).toBeGreaterThanOrEqual(6);
  });

  it.each([
    ["a form that is posted", "POST"],
    ["HEAD", "HEAD"],
  ])("is not answered by %s either", async (_, method) => {
    const silent: string[] = [];
    for (const client of Object.keys(EVIL_VISITS)) {
      const location = await arrive(client, method);
      if (/[?&#](code|id_token|access_token)=/.test(location)) silent.push(`${client}: ${location}`);
    }
    expect(silent).toEqual([]);
  });

  async function arrive(client: string, method: string): Promise<string> {
    const cookie = [...browserOf("ada").cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const query = new URLSearchParams({
      client_id: client,
      scope: "openid",
      state: "s",
      nonce: "n",
      response_type: "code",
      ...(EVIL_VISITS[client] as Record<string, string>),
    });
    const answer = await service.fetch(`/oauth/v2/authorize${method === "POST" ? "" : `?${query}`}`, {
      method,
      body: method === "POST" ? query : undefined,
      headers: { cookie },
    });
    return answer.headers.get("location") ?? "";
  }

  it("asks again for each permission that was not granted", async () => {
    const browser = await signedIn(service, "bob");
    const first = await visit(browser, "evil-web", { scope: "openid email" });
    expect(first).toMatchObject({ kind: "asked", page: "/login/continue" });
    expect(await confirm(browser, first)).toMatchObject({ kind: "answered" });
    const unasked: string[] = [];
    for (const scope of scopes) {
      if (["openid", "openid email"].includes(scope) || /idp:id|service:aud$/.test(scope)) continue;
      const { kind: outcome } = await visit(browser, "evil-web", { scope, prompt: "none" });
      if (outcome !== "refused") unasked.push(scope);
    }
    expect(unasked).toEqual([]);
    // Consent to one app of an organization does not apply to another app.
    expect(await visit(browser, "evil-spa", { scope: "openid", prompt: "none" })).toMatchObject({ kind: "refused" });
  });

  it("asks for claims as for the scopes that contain them", async () => {
    const claims = JSON.stringify({ userinfo: { email: null }, id_token: { phone_number: { essential: true } } });
    const asked = await visit(browserOf("sam"), "evil-web", { claims, prompt: "none" });
    expect(asked).toEqual({ kind: "refused", error: "interaction_required" });
  });

  it("asks after a sign-in on the way, and if the session is chosen by a hint", async () => {
    for (const more of [{ login_hint: "ada@acme.test" }, { prompt: "select_account" }, { max_age: "86400" }]) {
      expect((await visit(browserOf("ada"), "evil-web", more)).kind).toBe("asked");
    }
  });

  const silently = async (name: string, client: string, scope = "openid profile email offline_access") =>
    (await visit(browserOf(name), client, { scope, prompt: "none" })).kind;

  it("requires no additional clicks at apps of the own organization", async () => {
    expect(await silently("bob", "own")).toBe("answered");
    expect(await silently("ada", "web")).toBe("answered");
    expect(await silently("bob", "own", `openid ${P1_SCOPE} urn:service:iam:user:metadata`)).toBe("answered");
    expect(await silently("carl", "evil-web")).toBe("answered");
    expect(await silently("tess", "shop-web")).toBe("answered");
  });

  it("applies in every direction", async () => {
    expect(await silently("bob", "shop-web")).toBe("refused");
    expect(await silently("tess", "own")).toBe("refused");
    expect(await silently("carl", "own")).toBe("refused");
  });

  it("does not ask at apps that the instance trusts", async () => {
    expect(await silently("tess", "trusted")).toBe("answered");
    expect(await silently("carl", "trusted")).toBe("answered");
  });
});
