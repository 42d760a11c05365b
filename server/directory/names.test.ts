import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparable, comparableDomain, comparableLoginName, domainLabel, loginName, lookAlikeOf } from "./names";

describe("the comparable form of names", () => {
  it.each([
    ["Ada", "ada"],
    ["  ada ", "ada"],
    ["ＡＤＡ", "ada"],
    ["ﬁsh", "fish"],
    ["É", "é"],
    ["E\u0301", "é"],
    ["İ", "i\u0307"],
    ["ΟΔΟΣ", "οδος"],
  ])("%j is %j", (name, key) => expect(comparable(name)).toBe(key));

  it("is stable: converting a comparable name again does not change it", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (name) => comparable(comparable(name)) === comparable(name)));
    fc.assert(
      fc.property(
        fc.emailAddress(),
        (name) => comparableLoginName(comparableLoginName(name)) === comparableLoginName(name),
      ),
    );
  });

  it.each([
    ["Ada@ACME.test", "ada@acme.test"],
    ["ada@Bücher.test", "ada@xn--bcher-kva.test"],
    ["ada@acme。test", "ada@acme.test"],
    ["ada@acme.test.", "ada@acme.test"],
    ["ada@ac\u00adme.test", "ada@acme.test"],
    ["a@b@C.test", "a@b@c.test"],
    ["ada@", "ada@"],
    ["ada@acme.test/x", "ada@acme.test/x"],
    ["ada@%61cme.test", "ada@%61cme.test"],
    ["ada", "ada"],
  ])("login name %j is %j", (name, key) => expect(comparableLoginName(name)).toBe(key));

  it("completes a user name without @", () => {
    expect(loginName("ada", "acme.test")).toBe("ada@acme.test");
    expect(loginName("ada@home.test", "acme.test")).toBe("ada@home.test");
  });
});

describe("look-alike domains (UTS #39)", () => {
  it.each([
    ["a Cyrillic a", "аcme.test", "acme.test"],
    ["all Cyrillic", "асме.test", "acme.test"],
    ["a Greek o", "gοοgle.test", "google.test"],
    ["a hidden joiner, which makes it no host name", "ac\u200dme.test", "acme.test"],
    ["dots at the end, which make it no host name", "acme.test..", "acme.test"],
  ])("are detected: %s", (_, domain, host) => expect(lookAlikeOf(comparableDomain(domain) ?? domain)).toBe(host));

  it.each(["acme.test", "xn--bcher-kva.test", "temporary.id.example.com"])("do not include %s itself", (domain) =>
    expect(lookAlikeOf(domain)).toBeUndefined(),
  );
});

describe("domain names (RFC 1123 §2.1, RFC 5890)", () => {
  it.each([
    ["ACME.test", "acme.test"],
    ["bücher.test", "xn--bcher-kva.test"],
    ["a-b.c1.test", "a-b.c1.test"],
  ])("%j is %j", (text, host) => expect(comparableDomain(text)).toBe(host));

  it.each([
    "",
    " ",
    "127.0.0.1",
    "0x7f.1",
    "[::1]",
    "a..b",
    "-a.test",
    "a-.test",
    "a b.test",
    "a/b",
    "x@y",
    "a".repeat(64),
    "*.a.test",
  ])("%j is not a domain name", (text) => expect(comparableDomain(text)).toBeUndefined());

  it.each([
    ["ACME & Söhne", "acme-sohne"],
    ["--", "organization"],
    ["株式会社", "organization"],
    ["x".repeat(80), "x".repeat(50)],
  ])("an organization named %j gets the label %j", (name, label) => expect(domainLabel(name)).toBe(label));
});
