import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorValues, responseFields, responseUrl } from "./authorization-response";
import { loginRequired } from "./oauth-error";

describe("authorization response (RFC 6749 §4.1.2, §4.2.2)", () => {
  it.each([
    ["https://rp.test/cb", "query", "https://rp.test/cb?code=c&state=s&iss=https%3A%2F%2Fop.test"],
    ["https://rp.test", "query", "https://rp.test?code=c&state=s&iss=https%3A%2F%2Fop.test"],
    ["https://rp.test/cb?a=b%20c", "query", "https://rp.test/cb?a=b%20c&code=c&state=s&iss=https%3A%2F%2Fop.test"],
    ["https://rp.test/cb?", "query", "https://rp.test/cb?code=c&state=s&iss=https%3A%2F%2Fop.test"],
    ["https://rp.test/cb?a=b&", "query", "https://rp.test/cb?a=b&code=c&state=s&iss=https%3A%2F%2Fop.test"],
    ["https://rp.test/cb?a=b", "fragment", "https://rp.test/cb?a=b#code=c&state=s&iss=https%3A%2F%2Fop.test"],
    ["com.example.app:/cb", "query", "com.example.app:/cb?code=c&state=s&iss=https%3A%2F%2Fop.test"],
  ] as const)("%s by %s: %s", (uri, mode, expected) => {
    expect(responseUrl(uri, mode, { code: "c", state: "s", iss: "https://op.test" })).toBe(expected);
  });

  it("keeps the order, omits undefined values, and writes numbers", () => {
    const values = {
      access_token: "t",
      token_type: "Bearer",
      expires_in: 3600,
      scope: "openid email",
      state: undefined,
    };
    expect(responseUrl("https://rp.test/cb", "fragment", values)).toBe(
      "https://rp.test/cb#access_token=t&token_type=Bearer&expires_in=3600&scope=openid%20email",
    );
    expect(responseFields(values)).toEqual([
      ["access_token", "t"],
      ["token_type", "Bearer"],
      ["expires_in", "3600"],
      ["scope", "openid email"],
    ]);
  });

  it("adds nothing if there are no values", () => {
    expect(responseUrl("https://rp.test/bye", "query", { state: undefined })).toBe("https://rp.test/bye");
  });

  it("contains an error with its state", () => {
    expect(responseFields(errorValues(loginRequired("sign in"), "s"))).toEqual([
      ["error", "login_required"],
      ["error_description", "sign in"],
      ["state", "s"],
    ]);
    expect(responseFields(errorValues(loginRequired(""), undefined))).toEqual([["error", "login_required"]]);
  });

  it("returns state as it was sent, read as a form or as a plain URI (property)", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1 });
    fc.assert(
      fc.property(text, fc.constantFrom("query", "fragment"), (state, mode) => {
        const url = new URL(responseUrl("https://rp.test/cb?a=b", mode, { code: "c", state }));
        const carried = mode === "query" ? url.search : url.hash;
        expect(new URLSearchParams(carried.slice(1)).get("state")).toBe(state);
        expect(decodeURIComponent(/state=([^&]*)/.exec(carried)?.[1] ?? "")).toBe(state);
        expect(url.searchParams.get("a")).toBe("b");
      }),
    );
  });

  it("keeps every value inside its parameter (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (state) => {
        expect(responseUrl("https://rp.test/cb", "query", { state })).toMatch(
          /^https:\/\/rp\.test\/cb\?state=[\w.!~*'()%-]*$/,
        );
      }),
    );
  });
});
