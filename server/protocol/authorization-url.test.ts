import { describe, expect, it } from "vitest";
import { parseAuthorizationRequest } from "./authorization-request";
import { authorizationUrl } from "./authorization-url";
import type { Client } from "./client";
import { isError } from "./oauth-error";
import { parseParameters } from "./parameters";

const client = {
  clientId: "web",
  kind: "oidc",
  applicationType: "web",
  authenticationMethod: "client_secret_basic",
  responseTypes: ["code"],
  grantTypes: ["authorization_code", "refresh_token"],
} as unknown as Client;

describe("an authorization request as a URL (RFC 6749 §4.1.1)", () => {
  it("is parsed as the same request", () => {
    const query = new URLSearchParams({
      client_id: "web",
      redirect_uri: "https://rp.test/cb?a=b",
      response_type: "code",
      scope: "openid email offline_access",
      state: "st%20ate &=+ü",
      nonce: "n-1",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
      prompt: "login consent",
      max_age: "60",
      ui_locales: "de-CH en",
      login_hint: "ada@acme.test",
      claims: '{"userinfo":{"name":{"essential":true}},"id_token":{"email":null}}',
      acr_values: "1 2",
    }).toString();
    const first = read(query);
    const again = read(authorizationUrl("https://id.test/oauth/v2/authorize", first).split("?").slice(1).join("?"));
    expect(again).toEqual(first);
  });
});

function read(query: string) {
  const parameters = parseParameters(query);
  if (isError(parameters)) throw new Error(parameters.description);
  const request = parseAuthorizationRequest(parameters, client, { projects: [], resources: [] });
  if (isError(request)) throw new Error(request.description);
  return request;
}
