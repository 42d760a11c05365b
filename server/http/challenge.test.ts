import { describe, expect, it } from "vitest";
import { challenge } from "./challenge";

describe("WWW-Authenticate (RFC 9110 §11.6.1, RFC 6750 §3)", () => {
  it("contains only the realm if no credentials were sent", () => {
    expect(challenge("Bearer", "api")).toEqual({ "www-authenticate": 'Bearer realm="api"' });
  });

  it("contains the error in a quoted string that no character can end", () => {
    const wrong = { error: "invalid_token", description: 'a "b", c\\d\r\nSet-Cookie: é …' };
    expect(challenge("Basic", "oauth", wrong)["www-authenticate"]).toBe(
      `Basic realm="oauth", error="invalid_token", error_description="a 'b', c?d??Set-Cookie: ? ..."`,
    );
  });
});
