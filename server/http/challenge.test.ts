import { describe, expect, it } from "vitest";
import { challenge } from "./challenge";

describe("WWW-Authenticate (RFC 9110 §11.6.1, RFC 6750 §3)", () => {
  it("names the realm alone where nothing was presented", () => {
    expect(challenge("Bearer", "api")).toEqual({ "www-authenticate": 'Bearer realm="api"' });
  });

  it("says what was wrong, in a quoted string that nothing ends", () => {
    const wrong = { error: "invalid_token", description: 'a "b", c\\d\r\nSet-Cookie: é …' };
    expect(challenge("Basic", "oauth", wrong)["www-authenticate"]).toBe(
      `Basic realm="oauth", error="invalid_token", error_description="a 'b', c?d??Set-Cookie: ? ..."`,
    );
  });
});
