import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isError } from "./oauth-error";
import { isKnownScope, isSubset, parseScope, scopeAudience, scopeOrganizations } from "./scope";

const numbered = (length: number) => Array.from({ length }, (_, i) => `s${i}`);

describe("scope (RFC 6749 §3.3)", () => {
  it.each([
    [undefined, []],
    ["openid", ["openid"]],
    ["email openid", ["email", "openid"]],
    ["openid  email ", ["openid", "email"]],
    ["openid openid", ["openid"]],
    ["!#[]~", ["!#[]~"]],
    ["x".repeat(4096), ["x".repeat(4096)]],
    [numbered(100).join(" "), numbered(100)],
  ])("reads %j", (raw, scopes) => {
    expect(parseScope(raw)).toEqual(scopes);
  });

  it.each([
    ['open"id', "a double quote"],
    ["open\\id", "a backslash"],
    ["openid\temail", "a tab"],
    ["openid\nemail", "a line break"],
    ["öpenid", "a letter beyond ASCII"],
    ["x".repeat(4097), "more than 4 kB"],
    [numbered(101).join(" "), "more than 100 scopes"],
  ])("rejects %j (%s): invalid_scope", (raw) => {
    expect(parseScope(raw)).toMatchObject({ error: "invalid_scope" });
  });

  it("parses or rejects any text, and the result is parsed the same (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii", maxLength: 80 }), (raw) => {
        const scopes = parseScope(raw);
        if (isError(scopes)) {
          expect(scopes.error).toBe("invalid_scope");
          return;
        }
        expect(new Set(scopes).size).toBe(scopes.length);
        expect(parseScope(scopes.join(" "))).toEqual(scopes);
      }),
    );
  });
});

describe("scopes of this service", () => {
  it.each([
    ["urn:service:iam:org:project:id:p1:aud", true],
    ["urn:service:iam:org:project:id:service:aud", true],
    ["urn:service:iam:org:project:id::aud", false],
    ["urn:service:iam:org:project:id:a:b:aud", false],
    ["urn:service:iam:org:project:role:admin", true],
    ["urn:service:iam:org:projects:roles", true],
    ["urn:service:iam:org:id:acme", true],
    ["urn:service:iam:org:domain:primary:acme.test", true],
    ["urn:service:iam:org:roles:id:acme", true],
    ["urn:service:iam:org:idp:id:x", true],
    ["urn:service:iam:user:metadata", true],
    ["urn:service:iam:user:resourceowner", true],
    ["urn:service:iam:user:metadata:x", false],
    ["xurn:service:iam:user:metadata", false],
    ["urn:service:iam:everything", false],
    ["Openid", false],
    ["admin", false],
  ])("%s known: %s", (scope, known) => {
    expect(isKnownScope(scope)).toBe(known);
    expect(isKnownScope(`x${scope}`)).toBe(false);
    expect(isKnownScope(`${scope}\n`)).toBe(false);
  });

  it("compares as sets", () => {
    expect(isSubset(["b", "a"], ["a", "b", "c"])).toBe(true);
    expect(isSubset([], [])).toBe(true);
    expect(isSubset(["a", "d"], ["a", "b"])).toBe(false);
  });
});

describe("reserved scopes", () => {
  it("reads project ids out of audience scopes, each once", () => {
    const aud = (id: string) => `urn:service:iam:org:project:id:${id}:aud`;
    expect(scopeAudience(["openid", aud("p1"), aud("service"), aud("p1"), "urn:service:iam:org:id:acme"])).toEqual([
      "p1",
      "service",
    ]);
    expect(scopeAudience(["openid", "urn:service:iam:org:project:id:p1:aud:more"])).toEqual([]);
  });

  it("reads the organizations a sign-in is restricted to", () => {
    expect(scopeOrganizations(["urn:service:iam:org:id:acme", "urn:service:iam:org:domain:primary:ACME.test"])).toEqual(
      {
        ids: ["acme"],
        domains: ["acme.test"],
      },
    );
    expect(scopeOrganizations(["xurn:service:iam:org:id:acme", "urn:service:iam:org:id:acme:x"]).ids).toEqual([]);
    expect(scopeOrganizations(["urn:service:iam:org:domain:primary:acme.test:x"]).domains).toEqual([]);
    expect(scopeOrganizations(["openid"])).toEqual({ ids: [], domains: [] });
  });
});
