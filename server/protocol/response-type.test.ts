import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isError } from "./oauth-error";
import { parseResponseType, resolveResponseMode, responseTypes } from "./response-type";

describe("response_type (RFC 6749 §3.1.1)", () => {
  it.each([
    ["code", "code"],
    ["id_token", "id_token"],
    ["id_token token", "id_token token"],
    ["token id_token", "id_token token"],
    ["id_token code", "code id_token"],
    ["code token", "code token"],
    ["token code id_token", "code id_token token"],
  ])("reads %j", (raw, type) => {
    expect(parseResponseType(raw)).toBe(type);
  });

  it.each(["token", "none", "code code", "CODE", "id_token  token", "code "])(
    "rejects %j: unsupported_response_type",
    (raw) => {
      expect(parseResponseType(raw)).toMatchObject({ error: "unsupported_response_type" });
    },
  );

  it("rejects a missing one: invalid_request", () => {
    expect(parseResponseType(undefined)).toMatchObject({ error: "invalid_request" });
  });

  it("parses any text to a known type or an error (property)", () => {
    fc.assert(
      fc.property(fc.string(), (raw) => {
        const type = parseResponseType(raw);
        expect(isError(type) || responseTypes.includes(type)).toBe(true);
      }),
    );
  });
});

describe("response_mode (Multiple Response Types §2.1)", () => {
  it.each([
    ["code", undefined, "query"],
    ["code", "query", "query"],
    ["code", "fragment", "fragment"],
    ["code", "form_post", "form_post"],
    ["code", "jwt", "query.jwt"],
    ["code", "form_post.jwt", "form_post.jwt"],
    ["code id_token", "jwt", "fragment.jwt"],
    ["id_token", undefined, "fragment"],
    ["id_token", "fragment", "fragment"],
    ["id_token token", "form_post", "form_post"],
    ["code id_token", undefined, "fragment"],
    ["code token", "form_post", "form_post"],
  ] as const)("%s with %s: %s", (type, raw, mode) => {
    expect(resolveResponseMode(type, raw)).toBe(mode);
  });

  it.each([
    ["id_token", "query"],
    ["id_token token", "query"],
    ["code id_token", "query"],
    ["code token", "query"],
    ["code id_token token", "query"],
    ["code id_token", "query.jwt"],
    ["code", "web_message"],
    ["code", "Query"],
    ["code", "__proto__"],
  ] as const)("refuses %s with %s: invalid_request", (type, raw) => {
    expect(resolveResponseMode(type, raw)).toMatchObject({ error: "invalid_request" });
  });
});
