import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isError } from "./oauth-error";
import {
  checkRepeated,
  decodeFormComponent,
  MAX_PARAMETERS_LENGTH,
  type Parameters,
  parseParameters,
} from "./parameters";

function parsed(encoded: string): Parameters {
  const parameters = parseParameters(encoded);
  if (isError(parameters)) throw new Error(parameters.description);
  return parameters;
}

describe("request parameters (RFC 6749 §3.1, Appendix B)", () => {
  it.each([
    ["a=1&b=2", { a: "1", b: "2" }],
    ["a=1+2%2B3&b=%C3%BC%20%F0%9F%98%80", { a: "1 2+3", b: "ü 😀" }],
    ["redirect%5Furi=https%3A%2F%2Frp.test%2Fcb%3Fx%3D1%26y%3D2", { redirect_uri: "https://rp.test/cb?x=1&y=2" }],
    ["a=b=c", { a: "b=c" }],
    ["&&a=1&", { a: "1" }],
    ["a=ü", { a: "ü" }],
    ["a=%EF%BF%BD", { a: "\uFFFD" }],
    ["__proto__=1&constructor=2", { ["__proto__"]: "1", constructor: "2" }],
    ["", {}],
  ])("reads %j", (encoded, expected) => {
    const parameters = parsed(encoded);
    expect(parameters.names()).toEqual(Object.keys(expected));
    for (const [name, value] of Object.entries(expected)) expect(parameters.get(name)).toBe(value);
  });

  it("treats a parameter without a value as omitted", () => {
    const parameters = parsed("state=&nonce&scope=openid");
    expect(parameters.get("state")).toBeUndefined();
    expect(parameters.has("nonce")).toBe(false);
    expect(parameters.names()).toEqual(["scope"]);
  });

  it("reads 32 kB and 100 parameters", () => {
    expect(parsed(`a=${"x".repeat(MAX_PARAMETERS_LENGTH - 2)}`).get("a")).toHaveLength(MAX_PARAMETERS_LENGTH - 2);
    expect(parsed(Array.from({ length: 100 }, (_, i) => `p${i}=1`).join("&")).names()).toHaveLength(100);
  });

  it("returns nothing for a name that was not sent, even if objects inherit it", () => {
    expect(parsed("a=1").get("toString")).toBeUndefined();
    expect(parsed("a=1").has("__proto__")).toBe(false);
    expect(parsed("a=1").all("b")).toEqual([]);
  });

  it.each([
    ["a=%", "a percent sign alone"],
    ["a=%zz", "digits that are not hexadecimal"],
    ["%f=1", "an incomplete escape in a name"],
    ["a=%00", "NUL"],
    ["a=\0", "a raw NUL"],
    ["a=%C3%28", "bytes that are not UTF-8"],
    ["a=%C0%AF", "an overlong slash"],
    ["a=%ED%A0%80", "an encoded surrogate"],
    ["a=\uD800", "a lone surrogate"],
    ["a=\uFFFD", "the replacement character of a lenient decoder"],
    [`a=${"x".repeat(MAX_PARAMETERS_LENGTH)}`, "32 kB and more"],
    [Array.from({ length: 101 }, (_, i) => `p${i}=1`).join("&"), "more than 100 parameters"],
  ])("rejects %j (%s): invalid_request", (encoded) => {
    expect(parseParameters(encoded)).toMatchObject({ error: "invalid_request" });
  });

  it.each([
    ["client_id=a&nonce=%FF&scope=b", ["client_id", "scope"]],
    ["client_id=a&client_id=%zz&scope=b", ["scope"]],
    ["%FF=1&scope=b", ["scope"]],
    ["scope=b&state=\uFFFD", ["scope"]],
  ])("keeps, of the rejected %j, the parameters whose values can all be decoded", (encoded, names) => {
    const refused = parseParameters(encoded);
    expect(isError(refused) ? refused.readable?.names() : undefined).toEqual(names);
  });

  it.each([
    ["state=a&scope=openid&state=b", "state is repeated"],
    ["state=a&state=a", "state is repeated"],
    ["extra=1&extra=2", "extra is repeated"],
    ["%3Cscript%3E=1&%3Cscript%3E=2", "a parameter is repeated"],
    ["%3Cb=1&%3Cb=2&", "a parameter is repeated"],
    ["b%3E=1&b%3E=2", "a parameter is repeated"],
    ["resource=a&resource=b&audience=c&audience=d", undefined],
    ["state=&state=b", undefined],
    ["a=1&b=1", undefined],
  ])("checks %j for repetition: %s", (encoded, description) => {
    expect(checkRepeated(parsed(encoded))?.description).toBe(description);
  });

  it("checks only the given names for repetition", () => {
    const parameters = parsed("state=a&state=b&resource=c&resource=d");
    expect(parameters.repeated("client_id", "redirect_uri")).toBeUndefined();
    expect(parameters.repeated("client_id", "resource")).toBe("resource");
    expect(parameters.all("resource")).toEqual(["c", "d"]);
  });

  it("reads back what URLSearchParams writes (property)", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((s) => !s.includes("\0"));
    fc.assert(
      fc.property(fc.dictionary(text, text, { maxKeys: 20 }), (values) => {
        const parameters = parsed(new URLSearchParams(values).toString());
        expect(new Map(parameters.names().map((name) => [name, parameters.get(name)]))).toEqual(
          new Map(Object.entries(values)),
        );
      }),
    );
  });

  it("parses or rejects any text without throwing (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const parameters = parseParameters(text);
        if (isError(parameters)) expect(parameters.error).toBe("invalid_request");
        else expect(parameters.names().length).toBeLessThanOrEqual(100);
      }),
    );
  });

  it("decodes one component strictly", () => {
    expect(decodeFormComponent("a%40b+c")).toBe("a@b c");
    expect(decodeFormComponent("%")).toBeUndefined();
  });
});
