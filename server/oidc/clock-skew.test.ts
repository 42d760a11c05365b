import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap, SECRET } from "../testing/example";
import { authorize, basic, postToken, REDIRECT_URI, type Tokens } from "../testing/flow";
import { type TestService, testService } from "../testing/test-context";

const [acme] = exampleBootstrap.organizations;
const app = (clientId: string, clockSkew?: string) => ({
  name: clientId,
  oidc: { clientId, clientSecret: SECRET, redirectUris: [REDIRECT_URI], idTokenLifetime: "60s", clockSkew },
});
const apps = [app("exact"), app("slow", "5s")];

describe("an app whose clock is wrong (rule TOKEN-6)", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", {
      organizations: [{ ...acme, projects: [{ id: "p1", name: "Shop", apps }] }],
    });
  });
  afterAll(() => service.close());

  const idToken = async (clientId: string) => {
    const code = (await authorize(service.browser(), { client_id: clientId })).get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
    const tokens = (await (await postToken(service, form, basic(clientId, SECRET))).json()) as Tokens;
    const { iat = 0, exp = 0, auth_time } = decodeJwt(tokens.id_token);
    return { lasts: exp - iat, sinceAuthentication: iat - Number(auth_time) };
  };

  it("gets ID tokens that begin earlier and end later by the configured skew", async () => {
    expect((await idToken("exact")).lasts).toBe(60);
    const { lasts, sinceAuthentication } = await idToken("slow");
    expect(lasts).toBe(70);
    expect(Math.abs(sinceAuthentication)).toBeLessThanOrEqual(2);
  });
});
