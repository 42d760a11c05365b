import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as errors from "./oauth-error";

const { isError, invalidRequest } = errors;

describe("OAuth error values (RFC 6749 §5.2)", () => {
  it.each([
    [errors.invalidRequest, "invalid_request", 400],
    [errors.invalidClient, "invalid_client", 401],
    [errors.invalidGrant, "invalid_grant", 400],
    [errors.unauthorizedClient, "unauthorized_client", 400],
    [errors.unsupportedGrantType, "unsupported_grant_type", 400],
    [errors.unsupportedResponseType, "unsupported_response_type", 400],
    [errors.invalidScope, "invalid_scope", 400],
    [errors.accessDenied, "access_denied", 400],
    [errors.loginRequired, "login_required", 400],
    [errors.interactionRequired, "interaction_required", 400],
    [errors.requestNotSupported, "request_not_supported", 400],
    [errors.requestUriNotSupported, "request_uri_not_supported", 400],
    [errors.registrationNotSupported, "registration_not_supported", 400],
    [errors.unmetAuthenticationRequirements, "unmet_authentication_requirements", 400],
    [errors.invalidTarget, "invalid_target", 400],
    [errors.invalidToken, "invalid_token", 401],
    [errors.insufficientScope, "insufficient_scope", 403],
    [errors.accessForbidden, "access_denied", 403],
    [errors.invalidRedirectUri, "invalid_redirect_uri", 400],
    [errors.invalidClientMetadata, "invalid_client_metadata", 400],
  ] as const)("%o answers %s with status %i", (make, error, status) => {
    expect(make("because")).toMatchObject({ error, status, description: "because" });
    expect(isError(make("because"))).toBe(true);
  });

  it("keep the cause in addition to the public description", () => {
    const cause = new Error("row 7");
    expect(invalidRequest("because", { cause }).cause).toBe(cause);
    expect(JSON.stringify(invalidRequest("because").description)).not.toContain("row 7");
  });

  it("replace double quote, backslash, line breaks and non-ASCII characters", () => {
    expect(invalidRequest('a "b" \\ c\r\nd\te ü (#…)').description).toBe("a 'b' / c  d e ? (#...)");
  });

  it("reduce any description to at most 200 characters of RFC 6749 §5.2 (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
        const { description } = invalidRequest(text);
        expect(description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/);
        expect(description.length).toBeLessThanOrEqual(200);
      }),
    );
  });

  it("are never recognized in parsed JSON (property)", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isError(value)).toBe(false);
      }),
    );
    expect(isError(JSON.parse(JSON.stringify(invalidRequest("because"))))).toBe(false);
    expect(isError(undefined)).toBe(false);
  });
});
