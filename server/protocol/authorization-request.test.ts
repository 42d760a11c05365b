import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorResponseMode, parseAuthorizationRequest, readRedirectTarget } from "./authorization-request";
import type { Client } from "./client";
import { isError } from "./oauth-error";
import { parametersFrom, parseParameters } from "./parameters";

const client: Client = {
  clientId: "web",
  appId: "a1",
  appName: "Web",
  projectId: "p1",
  organizationId: "acme",
  organizationName: "ACME",
  ...{ standing: "registered", origin: "administrator" },
  kind: "oidc",
  applicationType: "web",
  redirectUris: ["https://rp.test/cb"],
  postLogoutRedirectUris: [],
  responseTypes: ["code", "id_token", "id_token token"],
  grantTypes: ["authorization_code", "implicit", "refresh_token"],
  authenticationMethod: "client_secret_basic",
  secrets: [{ id: "s", digest: "x", usedAt: null, expiresAt: null }],
  ...{ idTokenUserinfoAssertion: false, idTokenRoleAssertion: false, accessTokenRoleAssertion: false },
  ...{ accessTokenFormat: "opaque", idTokenSigningAlgorithm: "RS256" },
  project: { roleAssertion: false, roleCheck: false, organizationCheck: false, keepsLook: false },
  ...{ devMode: false, isThirdParty: false, legacyAssertionAudience: false, mayManage: false, lifetimes: {} },
  ...{ jwksUri: undefined, accessTokenJwtType: "at+jwt", allowedOrganizations: "own-and-granted" },
  ...{ initiateLoginUri: undefined, loginBaseUri: undefined, defaultMaxAge: undefined },
  ...{ frontChannelLogoutUri: undefined, frontChannelLogoutSessionRequired: false },
  ...{ backChannelLogoutUri: undefined, allowAssertionReuse: false, requirePushedAuthorizationRequests: false },
  ...{ dpopBoundAccessTokens: false, dpopRequireNonce: false, jwks: null, additionalOrigins: [], profile: undefined },
  ...{
    requireSignedRequestObject: false,
    tlsClientCertificateBoundAccessTokens: false,
    requestUris: [],
    connectedServers: [],
    certificateName: undefined,
    authorizationSigningAlgorithm: "RS256",
  },
  ...{ userinfoSigningAlgorithm: undefined, introspectionSigningAlgorithm: "RS256" },
};
const publicClient: Client = { ...client, authenticationMethod: "none", secrets: [] };
const codeOnly: Client = { ...client, responseTypes: ["code"], grantTypes: ["authorization_code"] };

const base = {
  client_id: "web",
  redirect_uri: "https://rp.test/cb",
  response_type: "code",
  scope: "openid",
  state: "s-._~",
};
const implicit = { ...base, response_type: "id_token token", nonce: "n" };
const challenge = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" };

type Values = Record<string, string | undefined>;
function request(values: Values) {
  return parametersFrom(Object.entries(values).map(([name, value]) => [name, value ?? ""] as const));
}
const NO_TARGETS = { projects: [], resources: [] };
const parse = (values: Values, of: Client = client) => parseAuthorizationRequest(request(values), of, NO_TARGETS);

function encoded(query: string) {
  const parameters = parseParameters(query);
  if (isError(parameters)) throw new Error(parameters.description);
  return parameters;
}

describe("authorization request (OIDC Core §3.1.2.1)", () => {
  it("reads a request with everything", () => {
    const values = {
      ...base,
      ...challenge,
      scope: "email openid offline_access unknown",
      nonce: "n",
      prompt: "login consent",
      max_age: "3600",
      ui_locales: "de-ch en",
      id_token_hint: "e30.e30.sig",
      login_hint: "ada@acme.test",
      claims: '{"userinfo":{"name":{"essential":true}}}',
      acr_values: "1 2",
      display: "popup",
      claims_locales: "se",
      extra: "foobar",
    };
    expect(parse(values)).toEqual({
      clientId: "web",
      redirectUri: "https://rp.test/cb",
      responseType: "code",
      responseMode: "query",
      scope: ["email", "openid", "offline_access"],
      state: "s-._~",
      nonce: "n",
      codeChallenge: challenge.code_challenge,
      prompt: ["login", "consent"],
      maxAge: 3600,
      uiLocales: ["de-CH", "en"],
      idTokenHint: "e30.e30.sig",
      loginHint: "ada@acme.test",
      claimsRequest: { userinfo: { name: { essential: true } }, idToken: {} },
      acrValues: ["1", "2"],
    });
  });

  it("reads the smallest request of each flow", () => {
    expect(parse(base)).toMatchObject({ responseType: "code", prompt: [], uiLocales: [], acrValues: [] });
    expect(parse({ ...base, ...challenge }, publicClient)).toMatchObject({ codeChallenge: challenge.code_challenge });
    expect(parse(implicit)).toMatchObject({ responseType: "id_token token", responseMode: "fragment" });
    expect(parse({ ...implicit, response_mode: "form_post" })).toMatchObject({ responseMode: "form_post" });
    expect(parse({ ...base, state: undefined })).toMatchObject({ state: undefined });
  });

  it.each<[string, Values, Client, string]>([
    ["no response_type", { ...base, response_type: undefined }, client, "invalid_request"],
    ["response_type token", { ...base, response_type: "token" }, client, "unsupported_response_type"],
    ["an unregistered hybrid one", { ...implicit, response_type: "code id_token" }, client, "unauthorized_client"],
    ["a response type the client may not use", implicit, codeOnly, "unauthorized_client"],
    ["implicit without the grant", implicit, { ...client, grantTypes: ["authorization_code"] }, "unauthorized_client"],
    ["code without the grant", base, { ...client, grantTypes: ["implicit"] }, "unauthorized_client"],
    ["an API client", base, { ...client, kind: "api" }, "unauthorized_client"],
    ["tokens in the query", { ...implicit, response_mode: "query" }, client, "invalid_request"],
    ["an unknown response_mode", { ...base, response_mode: "web_message" }, client, "invalid_request"],
    ["no scope", { ...base, scope: undefined }, client, "invalid_request"],
    ["a scope without openid", { ...base, scope: "profile" }, client, "invalid_scope"],
    ["a malformed scope", { ...base, scope: 'openid "' }, client, "invalid_scope"],
    ["a public client without PKCE", base, publicClient, "invalid_request"],
    ["plain PKCE", { ...base, ...challenge, code_challenge_method: "plain" }, client, "invalid_request"],
    ["id_token without nonce", { ...implicit, nonce: undefined, response_type: "id_token" }, client, "invalid_request"],
    ["prompt none with login", { ...base, prompt: "none login" }, client, "invalid_request"],
    ["an unknown prompt", { ...base, prompt: "dance" }, client, "invalid_request"],
    ["a negative max_age", { ...base, max_age: "-1" }, client, "invalid_request"],
    ["claims that are not JSON", { ...base, claims: "{" }, client, "invalid_request"],
    ["request", { ...base, request: "e30.e30." }, client, "request_not_supported"],
    ["request_uri", { ...base, request_uri: "http://169.254.169.254/" }, client, "request_uri_not_supported"],
    ["registration", { ...base, registration: "{}" }, client, "registration_not_supported"],
    ["a state of more than 4 kB", { ...base, state: "x".repeat(4097) }, client, "invalid_request"],
    ["a nonce of more than 1 kB", { ...base, nonce: "x".repeat(1025) }, client, "invalid_request"],
  ])("rejects %s: %s", (_, values, of, error) => {
    expect(parse(values, of)).toMatchObject({ error });
  });

  it("accepts state and nonce at their limits", () => {
    expect(parse({ ...implicit, state: "x".repeat(4096), nonce: "x".repeat(1024) })).toMatchObject({
      scope: ["openid"],
    });
    const longest = request({ client_id: "x".repeat(256), redirect_uri: "x".repeat(2048), state: "x".repeat(4096) });
    expect(readRedirectTarget(longest)).toMatchObject({ clientId: "x".repeat(256), state: "x".repeat(4096) });
  });

  it.each(["state=a&state=b", "scope=openid&scope=email", "nonce=a&nonce=a", "extra=1&extra=2"])(
    "rejects repeated %s: invalid_request",
    (more) => {
      const query = `client_id=web&redirect_uri=https%3A%2F%2Frp.test%2Fcb&response_type=code&${more}`;
      expect(parseAuthorizationRequest(encoded(query), client, NO_TARGETS)).toMatchObject({
        error: "invalid_request",
      });
    },
  );

  it("checks in one order and returns the error of the first mistake", () => {
    const mistakes: [Values, string][] = [
      [{ state: "x".repeat(5000) }, "state is longer than 4096 bytes"],
      [{ request: "x" }, "request objects are not supported"],
      [{ request_uri: "x" }, "request_uri is not supported"],
      [{ response_type: "token" }, "response_type is not supported"],
      [{ response_type: "id_token" }, "response_type id_token is not allowed for this client"],
      [{ response_mode: "web_message" }, "response_mode is not supported"],
      [{ scope: "email" }, "scope must contain openid"],
      [{ code_challenge_method: "plain" }, "code_challenge is missing beside code_challenge_method"],
      [{ prompt: "dance" }, "prompt has an unknown value"],
      [{ max_age: "x" }, "max_age must be a whole number of seconds"],
      [{ claims: "{" }, "claims is not JSON"],
    ];
    for (let first = 0; first < mistakes.length; first++) {
      // Later entries are inserted first, so that of two mistakes in one parameter the earlier one remains.
      const values = Object.assign(
        {},
        base,
        ...mistakes
          .slice(first)
          .reverse()
          .map(([mistake]) => mistake),
      );
      expect(parse(values, codeOnly)).toMatchObject({ description: mistakes[first]?.[1] });
    }
  });

  it("reports a request object rather than the missing nonce that it contains", () => {
    expect(parse({ ...implicit, nonce: undefined, request: "e30.e30." })).toMatchObject({
      error: "request_not_supported",
    });
  });

  it.each([
    ["ada", "ada"],
    [" ada@acme.test ", "ada@acme.test"],
    ["<b>ada</b>", "<b>ada</b>"],
    ["ada\u202Etset.emca", undefined],
    ["ada\u200B", undefined],
    ["ada\nbob", undefined],
    ["x".repeat(5000), undefined],
    ["   ", undefined],
  ])("login_hint %j: %j", (raw, loginHint) => {
    expect(parse({ ...base, login_hint: raw })).toMatchObject({ loginHint });
  });

  it.each(["nonsense", "a.b", "a.b.c.d", "<>.b.c", `a.b.${"c".repeat(9000)}`])(
    "ignores the id_token_hint %s",
    (raw) => {
      expect(parse({ ...base, id_token_hint: raw })).toMatchObject({ idTokenHint: undefined });
    },
  );
});

describe("the target of an authorization response (RFC 6749 §4.1.2.1)", () => {
  it("reads client, redirect URI, state and mode before anything else is verified", () => {
    expect(readRedirectTarget(request({ ...base, response_type: "dance", scope: undefined }))).toEqual({
      clientId: "web",
      redirectUri: "https://rp.test/cb",
      state: "s-._~",
      responseMode: "query",
    });
  });

  it.each([
    ["", "client_id is missing"],
    ["client_id=&redirect_uri=x", "client_id is missing"],
    ["client_id=web", "redirect_uri is missing"],
    ["client_id=web&client_id=web&redirect_uri=x", "client_id is repeated"],
    ["client_id=web&redirect_uri=x&redirect_uri=y", "redirect_uri is repeated"],
    [`client_id=${"x".repeat(257)}&redirect_uri=x`, "client_id is longer than 256 bytes"],
    [`client_id=web&redirect_uri=${"x".repeat(2049)}`, "redirect_uri is longer than 2048 bytes"],
  ])("shows an error for %s", (query, description) => {
    expect(readRedirectTarget(encoded(query))).toMatchObject({ error: "invalid_request", description });
  });

  it("omits a state that is not certain to be the client's", () => {
    expect(readRedirectTarget(encoded("client_id=w&redirect_uri=x&state=a&state=b"))).toMatchObject({
      state: undefined,
    });
    const long = encoded(`client_id=w&redirect_uri=x&state=${"a".repeat(4097)}`);
    expect(readRedirectTarget(long)).toMatchObject({ state: undefined });
  });

  it.each([
    ["", "query"],
    ["response_type=code", "query"],
    ["response_type=dance", "query"],
    ["response_type=none", "query"],
    ["response_type=id_token", "fragment"],
    ["response_type=token+id_token", "fragment"],
    ["response_type=code+id_token", "fragment"],
    ["response_type=id_token&response_mode=query", "fragment"],
    ["response_type=code&response_type=token", "fragment"],
    ["response_type=code&response_mode=fragment", "fragment"],
    ["response_type=code&response_mode=form_post", "form_post"],
    ["response_type=id_token&response_mode=form_post", "form_post"],
    ["response_mode=form_post", "form_post"],
    ["response_type=code&response_mode=jwt", "query.jwt"],
  ])("for %s, sends errors by %s", (query, mode) => {
    expect(errorResponseMode(encoded(query))).toBe(mode);
  });
});

describe("properties of the authorization request", () => {
  const names = "scope nonce prompt max_age claims ui_locales login_hint acr_values response_mode".split(" ");
  const values = fc.dictionary(
    fc.constantFrom(...names, "state", "id_token_hint", "response_type", "request"),
    fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("openid email", "code", "id_token", "login", "1", "{}", "form_post"),
    ),
  );

  it("parses or rejects any request; the result survives JSON and keeps the state (property)", () => {
    fc.assert(
      fc.property(values, (more) => {
        const parsed = parse({ ...implicit, ...more });
        if (isError(parsed)) return;
        expect(JSON.parse(JSON.stringify(parsed))).toEqual(parsed);
        expect(parsed.state).toBe({ ...implicit, ...more }.state || undefined);
        expect(parsed.responseMode === "query" && parsed.responseType !== "code").toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it("never puts an error into the query after tokens were requested (property)", () => {
    fc.assert(
      fc.property(
        values,
        fc.constantFrom("id_token", "id_token token", "token", "code token"),
        (more, responseType) => {
          expect(errorResponseMode(request({ ...more, response_type: responseType }))).not.toBe("query");
        },
      ),
    );
  });
});
