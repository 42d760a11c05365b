import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ManagementService } from "../api/grpc/generated/service/management/v1/management_pb";
import { API_SCOPE, apiToken } from "../testing/api";
import { exampleBootstrap } from "../testing/example";
import { authorize, pkcePair, REDIRECT_URI, type Tokens } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";

const ORIGIN = "https://rp.test";
const ADDRESS = "/management/v1/text/message/password_change/en";
const PROCEDURE = "/service.management.v1.ManagementService/GetCustomPasswordChangeMessageText";

describe("cross-origin requests to the management APIs (Fetch §3.2)", () => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    token = await apiToken(service); // token of the app `web`, whose origin is https://rp.test
  });
  afterAll(() => service.close());

  const ask = (path: string, init: RequestInit & { headers: Record<string, string> }) => service.fetch(path, init);
  const allowed = (response: Response) => response.headers.get("access-control-allow-origin");

  describe.each(["/admin/v1/messages", ADDRESS, "/v2/features/instance", PROCEDURE])("%s", (path) => {
    it("answers every preflight in the same way, without credentials", async () => {
      const headers = { origin: "https://anywhere.test", "access-control-request-method": "POST" };
      const response = await ask(path, { method: "OPTIONS", headers });
      expect([response.status, allowed(response)]).toEqual([204, "https://anywhere.test"]);
      expect(response.headers.get("vary")).toBe("Origin");
      expect(response.headers.get("access-control-allow-headers")).toMatch(
        /authorization.*x-service-orgid.*x-grpc-web.*connect-protocol-version/,
      );
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    });

    it("refuses the token of another app's page before anything happens: 403", async () => {
      const headers = {
        origin: "https://evil.test",
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
      };
      const method = path === PROCEDURE ? "POST" : "GET";
      const response = await ask(path, { method, headers, body: method === "POST" ? '{"language":"en"}' : undefined });
      expect([response.status, allowed(response), response.headers.get("vary")]).toEqual([403, null, "Origin"]);
      expect(await response.json()).toMatchObject({ code: 7, details: [{ id: "access.origin" }] });
    });
  });

  it("change nothing for a foreign page", async () => {
    const headers = { origin: "null", authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ subject: "From elsewhere" });
    expect((await ask(ADDRESS, { method: "PUT", headers, body })).status).toBe(403);
    const read = await ask(ADDRESS, { headers: { authorization: `Bearer ${token}` } });
    expect(await read.text()).not.toContain("From elsewhere");
  });

  it("are readable for the app's own page, and permitted for the service's own pages", async () => {
    const headers = { origin: ORIGIN, authorization: `Bearer ${token}` };
    const response = await ask(ADDRESS, { headers });
    expect([response.status, allowed(response)]).toEqual([200, ORIGIN]);
    expect(response.headers.get("access-control-expose-headers")).toContain("Grpc-Status");
    const own = await ask(ADDRESS, { headers: { ...headers, origin: BASE_URL } });
    expect([own.status, allowed(own)]).toEqual([200, null]);
  });

  it("let any app read what is wrong with its token, but no other page", async () => {
    const headers = { authorization: "Bearer gone" };
    const ours = await ask(ADDRESS, { headers: { ...headers, origin: ORIGIN } });
    expect([ours.status, allowed(ours)]).toEqual([401, ORIGIN]);
    const foreign = await ask(ADDRESS, { headers: { ...headers, origin: "https://evil.test" } });
    expect([foreign.status, allowed(foreign)]).toEqual([401, null]);
  });

  it("distinguish the pages of two apps", async () => {
    const { verifier, challenge } = pkcePair();
    const scope = API_SCOPE;
    const spa = { client_id: "spa", scope, code_challenge: challenge, code_challenge_method: "S256" };
    const code = (await authorize(service.browser(), spa)).get("code") ?? "";
    const form = {
      grant_type: "authorization_code",
      client_id: "spa",
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
    };
    const answer = await service.fetch("/oauth/v2/token", { method: "POST", body: new URLSearchParams(form) });
    const { access_token } = (await answer.json()) as Tokens;
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await ask(ADDRESS, { headers: { ...headers, origin: ORIGIN } })).status).toBe(200);
    expect((await ask(ADDRESS, { headers: { ...headers, origin: "https://rp.test:8443" } })).status).toBe(403);
  });

  it.each([
    ["Connect", createConnectTransport],
    ["gRPC-Web", createGrpcWebTransport],
  ])("allow a %s client on the app's page", async (_, transport) => {
    const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
      const { pathname } = new URL(String(input));
      const headers = new Headers(init?.headers);
      headers.set("origin", ORIGIN);
      const response = await service.fetch(pathname, { ...init, headers });
      expect(allowed(response)).toBe(ORIGIN);
      return response;
    };
    const client = createClient(ManagementService, transport({ baseUrl: BASE_URL, fetch }));
    const headers = { authorization: `Bearer ${token}` };
    const { customText } = await client.getCustomPasswordChangeMessageText({ language: "en" }, { headers });
    expect(customText?.subject).toBe("Your password was changed");
  });
});
