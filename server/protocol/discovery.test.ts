import { describe, expect, it } from "vitest";
import { discoveryDocument } from "./discovery";

const options = {
  grantTypes: ["authorization_code", "implicit", "refresh_token"],
  signingAlgorithms: ["RS256"],
  uiLocales: ["en", "de"],
  acrValues: ["urn:example:acr"],
} as const;
const document = discoveryDocument("https://op.test", options);
const full = discoveryDocument("https://op.test", { ...options, endpoints: ["introspection", "revocation"] });

describe("discovery document (OIDC Discovery §3)", () => {
  it("lists certificates and the endpoints for them only where they can arrive (RFC 8705 §3.3, §5)", () => {
    expect(document).not.toHaveProperty("tls_client_certificate_bound_access_tokens");
    const endpoints = ["introspection", "device_authorization"] as const;
    const certificates = { base: "https://mtls.test" };
    const certified = discoveryDocument("https://op.test", { ...options, endpoints, certificates });
    expect(certified).toMatchObject({
      tls_client_certificate_bound_access_tokens: true,
      token_endpoint_auth_methods_supported: [
        "client_secret_basic",
        "client_secret_post",
        "private_key_jwt",
        "tls_client_auth",
        "self_signed_tls_client_auth",
        "none",
      ],
    });
    expect(certified.mtls_endpoint_aliases).toEqual({
      token_endpoint: "https://mtls.test/oauth/v2/token",
      userinfo_endpoint: "https://mtls.test/oidc/v1/userinfo",
      introspection_endpoint: "https://mtls.test/oauth/v2/introspect",
      device_authorization_endpoint: "https://mtls.test/oauth/v2/device_authorization",
    });
  });

  it("contains what conformance tests check first", () => {
    expect(document).toMatchObject({
      issuer: "https://op.test",
      authorization_endpoint: "https://op.test/oauth/v2/authorize",
      token_endpoint: "https://op.test/oauth/v2/token",
      userinfo_endpoint: "https://op.test/oidc/v1/userinfo",
      jwks_uri: "https://op.test/oauth/v2/keys",
      end_session_endpoint: "https://op.test/oidc/v1/end_session",
      scopes_supported: ["openid", "profile", "email", "phone", "address", "offline_access"],
      response_types_supported: [
        "code",
        "id_token",
        "id_token token",
        "code id_token",
        "code token",
        "code id_token token",
      ],
      response_modes_supported: ["query", "fragment", "form_post", "query.jwt", "fragment.jwt", "form_post.jwt", "jwt"],
      grant_types_supported: ["authorization_code", "implicit", "refresh_token"],
      subject_types_supported: ["public", "pairwise"],
      id_token_signing_alg_values_supported: ["RS256"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"],
      claims_parameter_supported: true,
      request_parameter_supported: true,
      request_uri_parameter_supported: true,
      require_request_uri_registration: true,
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ["S256"],
      ui_locales_supported: ["en", "de"],
      acr_values_supported: ["urn:example:acr"],
      prompt_values_supported: ["none", "login", "select_account", "create", "consent"],
    });
    expect(document.token_endpoint_auth_signing_alg_values_supported).toContain("RS256");
    expect(document.claims_supported).toEqual(
      expect.arrayContaining(["sub", "auth_time", "email_verified", "address"]),
    );
  });

  it("contains introspection and revocation only if they are available", () => {
    expect(Object.keys(document).filter((name) => /^(introspection|revocation)/.test(name))).toEqual([]);
    expect(full).toMatchObject({
      introspection_endpoint: "https://op.test/oauth/v2/introspect",
      introspection_endpoint_auth_methods_supported: ["client_secret_basic", "private_key_jwt"],
      revocation_endpoint: "https://op.test/oauth/v2/revoke",
      revocation_endpoint_auth_methods_supported: [
        "client_secret_basic",
        "client_secret_post",
        "private_key_jwt",
        "none",
      ],
    });
  });

  it("has no null, no empty list, no `none` algorithm and no plain challenge", () => {
    for (const [name, value] of Object.entries(full)) {
      expect([name, value === null || value === undefined]).toEqual([name, false]);
      if (Array.isArray(value)) expect([name, new Set(value).size]).toEqual([name, value.length || -1]);
      if (/_alg_values_supported$/.test(name)) expect(value).not.toContain("none");
    }
    expect(JSON.parse(JSON.stringify(full))).toEqual(full);
  });

  it("has every URL below the base URL, including its path", () => {
    const below = discoveryDocument("https://op.test/tenant", {
      ...options,
      endpoints: ["introspection", "revocation"],
    });
    for (const [name, value] of Object.entries(below)) {
      if (/(_endpoint|_uri|^issuer)$/.test(name)) expect(value).toMatch(/^https:\/\/op\.test\/tenant(\/o|$)/);
    }
  });
});
