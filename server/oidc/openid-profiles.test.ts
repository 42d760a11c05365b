import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, SECRET } from "../testing/example";
import { answerOf, authorize, authorizePath, basic, postToken, REDIRECT_URI, type Tokens } from "../testing/flow";
import { type TestService, testService } from "../testing/test-context";

const [acme] = exampleBootstrap.organizations;
const shared = { clientSecret: SECRET, redirectUris: [REDIRECT_URI] };
const hybrid = {
  redirectUris: [REDIRECT_URI],
  responseTypes: ["OIDC_RESPONSE_TYPE_CODE_ID_TOKEN"],
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_IMPLICIT"],
};
const apps = [
  { name: "Bank", oidc: { clientId: "bank", ...shared, defaultMaxAge: "1h", requireAuthTime: true } },
  { name: "Careful", oidc: { clientId: "careful", ...shared, defaultMaxAge: "0s" } },
  { name: "Plain", oidc: { clientId: "plain", ...shared } },
  { name: "Page", oidc: { clientId: "page", ...hybrid, authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" } },
  {
    name: "Half",
    oidc: { clientId: "half", ...hybrid, clientSecret: SECRET, grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"] },
  },
];

describe.each(ruleDatabases)("Profiles of OpenID Connect that an app is set to on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, { organizations: [{ ...acme, projects: [{ id: "p1", name: "Shop", apps }] }] });
  });
  afterAll(() => service.close());

  const tokensFor = async (clientId: string, answer: URLSearchParams) => {
    const form = { grant_type: "authorization_code", code: answer.get("code") ?? "", redirect_uri: REDIRECT_URI };
    return (await (await postToken(service, form, basic(clientId, SECRET))).json()) as Tokens;
  };

  describe("the hybrid flow (OIDC Core §3.3)", () => {
    const errorFor = async (more: Record<string, string>) => {
      const response = await service
        .browser()
        .get(authorizePath({ response_type: "code id_token", nonce: "n", ...more }));
      expect(new URL(response.headers.get("location") ?? "").hash).not.toBe("");
      return answerOf(response).get("error");
    };

    it("requires PKCE of a client without a secret", async () => {
      expect(await errorFor({ client_id: "page" })).toBe("invalid_request");
    });

    it("requires both grant types", async () => {
      expect(await errorFor({ client_id: "half" })).toBe("unauthorized_client");
      expect(await errorFor({ client_id: "plain" })).toBe("unauthorized_client");
    });
  });

  describe("the default maximum age of an authentication (OpenID Connect Dynamic Client Registration §2)", () => {
    it("requires a new authentication if the request has no max_age, which prevails", async () => {
      const browser = service.browser();
      const first = await authorize(browser, { client_id: "bank" });
      expect(decodeJwt((await tokensFor("bank", first)).id_token).auth_time).toBeGreaterThan(0);
      const silently = async (more: Record<string, string>) => {
        const response = await browser.get(authorizePath({ prompt: "none", ...more }));
        return answerOf(response).get("error");
      };
      expect(await silently({ client_id: "bank" })).toBeNull();
      service.advance(3_601_000);
      expect(await silently({ client_id: "bank" })).toBe("login_required");
      expect(await silently({ client_id: "bank", max_age: "7200" })).toBeNull();
      expect(await silently({ client_id: "plain" })).toBeNull();
      const asked = await browser.get(authorizePath({ client_id: "bank" }));
      expect(asked.headers.get("location")).toContain("/login?flow=");
    });

    it("requires an authentication in each sign-in if it is 0s", async () => {
      const browser = service.browser();
      expect((await authorize(browser, { client_id: "careful" })).get("code")).toBeTruthy();
      const asked = await browser.get(authorizePath({ client_id: "careful" }));
      expect(asked.headers.get("location")).toContain("/login?flow=");
    });
  });
});
