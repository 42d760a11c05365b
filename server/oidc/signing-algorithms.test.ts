import { createHash } from "node:crypto";
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, SECRET } from "../testing/example";
import { answerOf, authorize, authorizePath, basic, postToken, REDIRECT_URI, type Tokens } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";

const algorithms = ["RS256", "ES256", "EdDSA", "PS256"] as const;
const [acme] = exampleBootstrap.organizations;
const apps = algorithms.map((idTokenSignedResponseAlg) => ({
  name: idTokenSignedResponseAlg,
  oidc: {
    clientId: idTokenSignedResponseAlg,
    clientSecret: SECRET,
    redirectUris: [REDIRECT_URI],
    authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
    idTokenSignedResponseAlg,
  },
}));
const bootstrap = { organizations: [{ ...acme, projects: [{ id: "p1", name: "Shop", apps }] }] };

describe.each(ruleDatabases)("id_token with the app's signing algorithm (OIDC Registration §2) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
  });
  afterAll(() => service.close());

  const keySet = async () => (await (await service.fetch("/oauth/v2/keys")).json()) as JSONWebKeySet;

  it.each(algorithms)("%s sets header, signature, and at_hash with the matching hash", async (algorithm) => {
    const browser = service.browser();
    const code = (await authorize(browser, { client_id: algorithm })).get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
    const tokens = (await (await postToken(service, form, basic(algorithm, SECRET))).json()) as Tokens;
    const { protectedHeader } = await jwtVerify(tokens.id_token, createLocalJWKSet(await keySet()), {
      issuer: BASE_URL,
      audience: algorithm,
      algorithms: [algorithm],
    });
    expect(protectedHeader.alg).toBe(algorithm);
    const full = createHash(algorithm === "EdDSA" ? "sha512" : "sha256")
      .update(tokens.access_token)
      .digest();
    const atHash = full.subarray(0, full.length / 2).toString("base64url");
    expect(decodeJwt(tokens.id_token).at_hash).toBe(atHash);

    const hint = { client_id: algorithm, prompt: "none", id_token_hint: tokens.id_token };
    expect(answerOf(await browser.get(authorizePath(hint))).get("code")).toBeTruthy();
    const out = await browser.get(`/oidc/v1/end_session?id_token_hint=${tokens.id_token}`);
    expect(out.headers.get("location")).toContain("/logout/done");
  });

  it("is listed in discovery, and the key set has one signing key per algorithm, RS256 first", async () => {
    const discovery = (await (await service.fetch("/.well-known/openid-configuration")).json()) as object;
    expect(discovery).toMatchObject({ id_token_signing_alg_values_supported: algorithms });
    const { keys } = await keySet();
    expect(keys[0]?.alg).toBe("RS256");
    expect(new Set(keys.map(({ alg }) => alg))).toEqual(new Set(algorithms));
  });
});
