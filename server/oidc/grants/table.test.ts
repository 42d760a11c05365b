import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jwtBearer, type TokenGrantType } from "../../protocol/grant-type";
import { isError } from "../../protocol/oauth-error";
import { parametersFrom } from "../../protocol/parameters";
import { grantOf, grants } from "./table";

function parse(values: Record<string, string>) {
  const form = parametersFrom(Object.entries(values));
  const grant = grantOf(form);
  return isError(grant) ? grant : grant.parse(form);
}
const code = { grant_type: "authorization_code", code: "c", redirect_uri: "https://rp.test/cb" };
const refresh = { grant_type: "refresh_token", refresh_token: "r" };
const aud = "urn:service:iam:org:project:id:service:aud";

describe("token request (RFC 6749 §4.1.3, §4.4.2, §6; RFC 7523 §2.1)", () => {
  it.each([
    [code, { grantType: "authorization_code", code: "c", redirectUri: "https://rp.test/cb", resources: [] }],
    [
      { ...code, code_verifier: "v", client_id: "spa", extra: "1" },
      {
        grantType: "authorization_code",
        code: "c",
        redirectUri: "https://rp.test/cb",
        codeVerifier: "v",
        resources: [],
      },
    ],
    [refresh, { grantType: "refresh_token", refreshToken: "r", resources: [] }],
    [
      { ...refresh, scope: "openid email" },
      { grantType: "refresh_token", refreshToken: "r", scope: ["openid", "email"], resources: [] },
    ],
    [{ grant_type: "client_credentials" }, { grantType: "client_credentials", scope: [], resources: [] }],
    [
      { grant_type: "client_credentials", scope: `openid ${aud}` },
      { grantType: "client_credentials", scope: ["openid", aud], resources: [] },
    ],
    [
      { grant_type: jwtBearer, assertion: "a.b.c", scope: "openid" },
      { grantType: jwtBearer, assertion: "a.b.c", scope: ["openid"], resources: [] },
    ],
  ])("reads %j", (values, expected) => {
    expect(parse(values as unknown as Record<string, string>)).toEqual(expected);
  });

  it.each([
    [{}, "invalid_request"],
    [{ grant_type: "" }, "invalid_request"],
    [{ grant_type: "password", username: "ada", password: "x" }, "unsupported_grant_type"],
    [{ grant_type: "implicit" }, "unsupported_grant_type"],
    [{ grant_type: "Authorization_code" }, "unsupported_grant_type"],
    [{ grant_type: "__proto__" }, "unsupported_grant_type"],
    [{ ...code, code: "" }, "invalid_request"],
    [{ ...code, redirect_uri: "" }, "invalid_request"],
    [{ ...code, code: "x".repeat(1025) }, "invalid_grant"],
    [{ ...code, redirect_uri: "x".repeat(2049) }, "invalid_grant"],
    [{ grant_type: "refresh_token" }, "invalid_request"],
    [{ ...refresh, refresh_token: "x".repeat(1025) }, "invalid_grant"],
    [{ ...refresh, scope: 'a"b' }, "invalid_scope"],
    [{ grant_type: "client_credentials", scope: "a\\b" }, "invalid_scope"],
    [{ grant_type: jwtBearer }, "invalid_request"],
    [{ grant_type: jwtBearer, assertion: "x".repeat(16 * 1024 + 1) }, "invalid_grant"],
  ])("rejects %j: %s", (values, error) => {
    expect(parse(values as Record<string, string>)).toMatchObject({ error });
  });

  it.each([
    { ...code, code: "x".repeat(1024), redirect_uri: "x".repeat(2048) },
    { ...refresh, refresh_token: "x".repeat(1024) },
    { grant_type: jwtBearer, assertion: "x".repeat(16 * 1024) },
  ])("accepts values at their limits (%#)", (values) => {
    expect(parse(values as Record<string, string>)).toMatchObject({ grantType: values.grant_type });
  });

  it("rejects a repeated parameter: invalid_request", () => {
    const form = parametersFrom([...Object.entries(code), ["code", "d"]]);
    expect(grantOf(form)).toMatchObject({ error: "invalid_request", description: "code is repeated" });
  });

  const certificates = ["self_signed_tls_client_auth", "tls_client_auth"];
  it.each<[TokenGrantType, string[]]>([
    ["authorization_code", ["client_secret_basic", "client_secret_post", "none", "private_key_jwt", ...certificates]],
    ["refresh_token", ["client_secret_basic", "client_secret_post", "none", "private_key_jwt", ...certificates]],
    ["client_credentials", ["client_secret_basic", "client_secret_post", ...certificates]],
    [jwtBearer, []],
  ])("%s accepts %j (rule CLIENT-1)", (grantType, methods) => {
    expect([...(grants.get(grantType)?.methods ?? ["unknown"])].sort()).toEqual(methods);
  });

  it("parses or rejects any form (property)", () => {
    const names = fc.constantFrom("code", "redirect_uri", "refresh_token", "scope", "assertion", "code_verifier");
    const grantType = fc.constantFrom("authorization_code", "refresh_token", "client_credentials", jwtBearer, "x");
    fc.assert(
      fc.property(grantType, fc.dictionary(names, fc.string({ unit: "binary" })), (grant_type, values) => {
        const request = parse({ ...values, grant_type });
        if (isError(request)) expect(request.status).toBe(400);
        else expect(request.grantType).toBe(grant_type);
      }),
    );
  });
});
