import http from "node:http";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import type { Context } from "../../context";
import { deliverNextNotification } from "../../oidc/backchannel/deliver";
import { jwtBearer } from "../../protocol/grant-type";
import { root } from "../../root";
import { ruleDatabases } from "../../testing/database";
import { SECRET } from "../../testing/example";
import { hiddenFields } from "../../testing/factors";
import { postToken } from "../../testing/flow";
import { atHome } from "../../testing/own-account";
import { type ApiCaller, bearerOf, callerOf, EVIL_CALLBACK, evilKey, tenantsBootstrap } from "../../testing/tenants";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";
import { makeApplication } from "../application";
import { requestListener } from "../http-server/request-listener";

const APPS = "/management/v1/projects/pe/apps";
const web = { redirectUris: [EVIL_CALLBACK] };

describe.each(ruleDatabases)("addresses that a tenant registers, on %s", (kind) => {
  let service: TestService;
  let evil: ApiCaller;
  /** The service with its public address. */
  let open: Context;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    evil = await callerOf(service, "evil-mallory");
    open = { ...service.ctx, config: { ...service.config, baseUrl: "https://id.service.test" } };
  });
  afterAll(() => service.close());

  it("cause no back-channel call of a public service to its own machine or network", async () => {
    const options = { readiness: { draining: false }, iconDirectory: path.join(root, "public", "icons") };
    const application = makeApplication(open, options);
    const token = await bearerOf(service, "evil-mallory");
    const accepted: string[] = [];
    for (const backChannelLogoutUri of [
      "http://127.0.0.1:18290/v1.24/containers/prod/stop?t=5",
      "http://localhost:18290/",
      "https://localhost/",
      "http://[::1]:18290/",
      "https://127.0.0.1/",
      "http://127.1/",
      "http://0x7f.1/",
      "http://2130706433/",
      "https://0.0.0.0/",
      "https://[::ffff:127.0.0.1]/",
      "https://LOCALHOST./",
      "https://db.localhost/",
      "https://10.0.0.8/",
      "https://169.254.169.254/latest/meta-data",
    ]) {
      for (const devMode of [true, false]) {
        const body = JSON.stringify({ name: "X", ...web, devMode, backChannelLogoutUri });
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        const calls = [
          new Request(`${BASE_URL}${APPS}/oidc`, { method: "POST", body, headers }),
          new Request(`${BASE_URL}${APPS}/a-evil-web/oidc_config`, {
            method: "PUT",
            body: JSON.stringify({ ...web, devMode, backChannelLogoutUri }),
            headers,
          }),
        ];
        for (const call of calls) {
          const { status } = await application.fetch(call);
          if (status !== 400) accepted.push(`${backChannelLogoutUri} ${call.method} ${devMode}: ${status}`);
        }
      }
    }
    expect(accepted).toEqual([]);
  });

  it("are not called on a public service's own machine, even if they were registered before", async () => {
    const heard: string[] = [];
    const listener = http.createServer((request, response) => {
      heard.push(request.url ?? "");
      response.end();
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const { port } = listener.address() as AddressInfo;
    const add = { name: "Told", ...web, devMode: true, backChannelLogoutUri: `http://127.0.0.1:${port}/stop` };
    const { body } = await evil("POST", `${APPS}/oidc`, add);
    expect(body.clientId).toBeTruthy(); // the service of this test is on a loopback address itself
    const told = async (ctx: Context, id: string) => {
      const now = new Date(service.ctx.clock());
      const row = { id, clientId: body.clientId, sessionId: `gone-${id}`, userId: "u-carl", attempts: 1 };
      await service.ctx.db.prisma.logoutNotification.create({ data: { ...row, createdAt: now, nextAttemptAt: now } });
      await (await deliverNextNotification(ctx))?.ended;
      return heard.length;
    };
    expect(await told(open, "one")).toBe(0);
    service.advance(60_000);
    await service.ctx.db.prisma.logoutNotification.deleteMany();
    expect(await told(service.ctx, "two")).toBe(1);
    await new Promise((resolve) => listener.close(resolve));
  });

  it("do not open programs of the operating system", async () => {
    const native = { name: "N", appType: "OIDC_APP_TYPE_NATIVE", authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" };
    const accepted: string[] = [];
    const schemes = "ms-msdt search-ms itms-services shell smb ldap res steam microsoft-edge chrome-extension file tel";
    for (const scheme of [
      ...schemes.split(" "),
      "MS-MSDT",
      "intent",
      "data",
      "javascript",
      "view-source",
      "ms-appinstaller",
    ]) {
      for (const uri of [`${scheme}:/cb`, `${scheme}://cb/x`]) {
        const { status } = await evil("POST", `${APPS}/oidc`, { ...native, redirectUris: [uri] });
        if (status !== 400) accepted.push(uri);
        const changed = { appType: native.appType, authMethodType: native.authMethodType, redirectUris: [uri] };
        const { status: put } = await evil("PUT", `${APPS}/a-evil-native/oidc_config`, changed);
        if (put !== 400) accepted.push(`PUT ${uri}`);
      }
    }
    expect(accepted).toEqual([]);
    expect((await evil("POST", `${APPS}/oidc`, { ...native, redirectUris: ["com.example.app:/cb"] })).status).toBe(200);
  });

  /** Whether the bootstrap file may register such a query. */
  async function applied(query: string): Promise<boolean> {
    const oidc = { clientSecret: SECRET, redirectUris: [`${EVIL_CALLBACK}?${query}`] };
    const projects = [{ id: "pe", name: "Evil project", apps: [{ name: `App ?${query}`, oidc }] }];
    const file = { organizations: [{ id: "evil", name: "Evil", projects }] };
    return applyBootstrap(service.ctx, file).then(
      () => true,
      () => false,
    );
  }

  it("contain no parameters of a response", async () => {
    const accepted: string[] = [];
    const names = "code state iss error error_description access_token id_token";
    for (const query of [
      ...names.split(" ").map((name) => `${name}=x`),
      "a=1&code=x",
      "%63ode=x",
      "code",
      "a=1&stat%65=x",
    ]) {
      for (const redirect of [`${EVIL_CALLBACK}?${query}`, `https://evil.test/?${query}`]) {
        const { status } = await evil("POST", `${APPS}/oidc`, { name: "Q", redirectUris: [redirect] });
        if (status !== 400) accepted.push(redirect);
      }
      if (await applied(query)) accepted.push(`file: ${query}`);
    }
    expect(accepted).toEqual([]);
    const harmless = { name: "Q", redirectUris: [`${EVIL_CALLBACK}?tenant=a&promo_code=b`] };
    expect((await evil("POST", `${APPS}/oidc`, harmless)).status).toBe(200);
    expect(await applied(`tenant=a`)).toBe(true);
  });
});

describe.each(ruleDatabases)("manipulated forms and assertions, on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
  });
  afterAll(() => service.close());

  it("reject an enrolment of one kind that is posted as the other without an internal error", async () => {
    const home = await atHome(service);
    const forms = {
      app: hiddenFields(await home.page("app"), "/account/app/submit"),
      passkey: hiddenFields(await home.page("passkey"), "/account/passkey/submit"),
    };
    for (const [of, hidden] of Object.entries(forms)) {
      expect(Object.keys(hidden).length).toBeGreaterThan(0);
      for (const action of ["/account/app/submit", "/account/passkey/submit"]) {
        const answer = await home.browser.post(action, { ...hidden, code: "123456", name: "X", response: "{}" });
        expect([of, action, answer.status < 500]).toEqual([of, action, true]);
      }
    }
  });

  it("accept an assertion byte for byte", async () => {
    const assertion = await new SignJWT({ iss: "m-evil-key-bot", sub: "m-evil-key-bot", aud: BASE_URL })
      .setProtectedHeader({ alg: "RS256", kid: "e1" })
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(evilKey.privateKey);
    const statuses: Record<string, number> = {};
    for (const sent of [
      `${assertion} `,
      ` ${assertion}`,
      `${assertion}\n`,
      `${assertion}\t`,
      `${assertion}=`,
      assertion,
    ]) {
      const form = { grant_type: jwtBearer, assertion: sent, scope: "openid" };
      statuses[JSON.stringify(sent.replace(assertion, "…"))] = (await postToken(service, form, null)).status;
    }
    expect(statuses).toEqual({ '"… "': 400, '" …"': 400, '"…\\n"': 400, '"…\\t"': 400, '"…="': 400, '"…"': 200 });
  });
});

describe("request targets (one gate for all requests to Next)", () => {
  let service: TestService;
  let server: http.Server;
  const reached: string[] = [];
  beforeAll(async () => {
    service = await testService("sqlite", tenantsBootstrap);
    const next = async (request: http.IncomingMessage, response: http.ServerResponse) => {
      reached.push(request.url ?? "");
      response.end("a page of the console");
    };
    const gate = async (_: http.IncomingMessage, response: http.ServerResponse) => {
      response.writeHead(303, { location: "/console/sign-in" }).end();
      return false;
    };
    server = http.createServer(requestListener({ ...service, next, gate }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    server.close();
    await service.close();
  });

  /** Status of the answer to a target that is sent as it is: clients would normalize it. */
  function ask(target: string, method = "GET"): Promise<number> {
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, "127.0.0.1", () => {
        socket.write(`${method} ${target} HTTP/1.1\r\nHost: localhost:8080\r\nConnection: close\r\n\r\n`);
      });
      let answer = "";
      socket.setEncoding("latin1").on("data", (chunk) => {
        answer += chunk;
      });
      socket.on("end", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]))).on("error", reject);
    });
  }

  it.each([
    "/_next/../console",
    "/_next/%2e%2e/console/organizations",
    "/_next/%2E./console",
    "/_next/.%2e/console",
    "/_next/static/../../console",
    "/_next/./static/x.js",
    "/_next//console",
    "//console",
    "/_next/..\\console",
    "/_next\\..\\console",
    "/_next/..%5cconsole",
    "/_next/%2e%2e%2fconsole",
    "/console/..",
    "/console/../oauth/v2/authorize",
    "/oauth//v2/authorize",
    "/management/v1/projects/../orgs/me",
  ])("are refused before anybody answers them: %s", async (target) => {
    const before = reached.length;
    for (const method of ["GET", "HEAD"]) expect([method, await ask(target, method)]).toEqual([method, 400]);
    expect(reached.slice(before)).toEqual([]);
  });

  it.each([
    "/console",
    "/console/organizations",
    "/console?x=../y",
    "/_next/data/build/console.json",
    "/_next/image?url=x",
  ])("lead through the gate, or to nothing: %s", async (target) => {
    const before = reached.length;
    expect([303, 400, 404]).toContain(await ask(target));
    expect(reached.slice(before)).toEqual([]);
  });

  it("may have any query", async () => {
    expect(await ask("/healthz?next=//x/../y\\z")).toBe(200);
  });
});
