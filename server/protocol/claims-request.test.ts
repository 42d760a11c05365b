import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseClaimsRequest, requestedSubject } from "./claims-request";
import { isError } from "./oauth-error";

describe("claims parameter (OIDC Core §5.5)", () => {
  it.each([
    [undefined, undefined],
    ["{}", { userinfo: {}, idToken: {} }],
    ['{"userinfo":{"name":{"essential":true}}}', { userinfo: { name: { essential: true } }, idToken: {} }],
    ['{"id_token":{"name":null,"name#de":null}}', { userinfo: {}, idToken: { name: {}, "name#de": {} } }],
    ['{"id_token":{"sub":{"value":"u1"}}}', { userinfo: {}, idToken: { sub: { value: "u1" } } }],
    ['{"id_token":{"acr":{"values":["1",2,{}]}}}', { userinfo: {}, idToken: { acr: { values: ["1", 2] } } }],
    ['{"id_token":{"http://a.test/c":null}}', { userinfo: {}, idToken: { "http://a.test/c": {} } }],
    ['{"userinfo":null,"other":7}', { userinfo: {}, idToken: {} }],
    ['{"userinfo":{"name":{"value":{"not":""},"extra":1}}}', { userinfo: { name: {} }, idToken: {} }],
    ['{"userinfo":{"a b":null,"ok":null}}', { userinfo: { ok: {} }, idToken: {} }],
  ])("reads %s", (raw, expected) => {
    expect(parseClaimsRequest(raw)).toEqual(expected);
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    "7",
    '"x"',
    '{"userinfo":[]}',
    '{"userinfo":"name"}',
    '{"id_token":{"name":true}}',
    '{"id_token":{"name":{"essential":"yes"}}}',
    '{"id_token":{"name":{"values":"x"}}}',
    `{"x":"${"y".repeat(4089)}"}`,
    "[".repeat(4000),
    JSON.stringify({ userinfo: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`c${i}`, null])) }),
    JSON.stringify({ userinfo: { a: { values: Array.from({ length: 21 }, () => 1) } } }),
  ])("rejects %s: invalid_request", (raw) => {
    expect(parseClaimsRequest(raw)).toMatchObject({ error: "invalid_request" });
  });

  it("accepts 4 kB and 50 claims", () => {
    expect(parseClaimsRequest(`{"x":"${"y".repeat(4088)}"}`)).toEqual({ userinfo: {}, idToken: {} });
    const claims = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`c${i}`, { values: Array(20).fill(1) }]));
    expect(parseClaimsRequest(JSON.stringify({ userinfo: claims }))).toEqual({ userinfo: claims, idToken: {} });
  });

  it("does not reach a prototype", () => {
    const request = parseClaimsRequest(
      '{"__proto__":{"userinfo":{"polluted":null}},"userinfo":{"__proto__":{"polluted":{"value":1}},"constructor":null}}',
    );
    expect(request).toEqual({ userinfo: {}, idToken: {} });
    expect(Object.getPrototypeOf((request as { userinfo: object }).userinfo)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("contains the required subject", () => {
    const subject = (raw: string) => {
      const request = parseClaimsRequest(raw);
      return isError(request) ? request.error : requestedSubject(request);
    };
    expect(subject('{"id_token":{"sub":{"value":"u1"}}}')).toBe("u1");
    expect(subject('{"userinfo":{"sub":{"value":"u2"}}}')).toBe("u2");
    expect(subject('{"id_token":{"sub":null}}')).toBeUndefined();
    expect(requestedSubject(undefined)).toBeUndefined();
  });

  it("parses or rejects any JSON, and the result survives JSON (property)", () => {
    const member = fc.dictionary(fc.string(), fc.oneof(fc.constant(null), fc.jsonValue()));
    const json = fc.oneof(
      fc.json(),
      fc.record({ userinfo: member, id_token: member }).map((v) => JSON.stringify(v)),
    );
    fc.assert(
      fc.property(json, (raw) => {
        const request = parseClaimsRequest(raw);
        if (isError(request)) expect(request.error).toBe("invalid_request");
        else expect(JSON.parse(JSON.stringify(request))).toEqual(request);
      }),
    );
  });
});
