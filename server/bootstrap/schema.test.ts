import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { MEMBER_ROLES } from "../directory/member/roles";
import { describeMistake } from "./mistakes";
import { parseBootstrap } from "./parse";

const rsa = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength });
const pem = (bits: number) => rsa(bits).publicKey.export({ type: "spki", format: "pem" });
const privatePem = rsa(2048).privateKey.export({ type: "pkcs8", format: "pem" });
const privateJwk = rsa(2048).privateKey.export({ format: "jwk" });

const organization = (members: object) => ({ organizations: [{ name: "O", ...members }] });
const user = (members: object) => organization({ users: [{ userName: "ada", ...members }] });
const profile = (members: object) => user({ profile: members });
const claims = (members: object) => user({ claims: members });
const email = (address: string) => user({ email: { email: address } });
const machine = (members: object) => organization({ machines: [{ userName: "ci", ...members }] });
const key = (members: object) => machine({ keys: [{ keyId: "k", publicKey: pem(2048), ...members }] });
const app = (members: object) => organization({ projects: [{ name: "P", apps: [{ name: "A", ...members }] }] });
const oidc = (members: object) => app({ oidc: members });
const jwk = (member: object) => oidc({ jwks: { keys: [member] } });
const message = (members: object) => organization({ messageTexts: [{ type: "init", language: "en", ...members }] });

const O = "organizations[0]";
const U = `${O}.users[0]`;
const M = `${O}.machines[0]`;
const A = `${O}.projects[0].apps[0]`;
const T = `${O}.messageTexts[0]`;

function lines(content: unknown): string[] {
  const parsed = parseBootstrap(content);
  return Array.isArray(parsed) ? parsed.map(describeMistake) : [];
}

describe("bootstrap file: mistakes, one line each with the JSON path (rule BOOTSTRAP-3)", () => {
  it.each<[string, unknown, string]>([
    ["no object", [], "must be an object"],
    ["an unknown member", { organisations: [] }, "organisations: is not known here: use one of $schema, instance, org"],
    [
      "an unknown member deep inside",
      profile({ age: 3 }),
      `${U}.profile.age: is not known here: use one of firstName,`,
    ],
    ["a member with an odd name", user({ "a b": 1 }), `${U}["a b"]: is not known here`],
    ["a __proto__ member", JSON.parse('{"__proto__": {}}'), "__proto__: is not known here"],
    ["a missing name", { organizations: [{}] }, `${O}.name: is required`],
    ["null for a string", organization({ name: null }), `${O}.name: must be a string`],
    ["an object for an array", { organizations: {} }, "organizations: must be an array"],
    ["text for true", organization({ default: "true" }), `${O}.default: must be true or false`],
    ["an empty name", organization({ name: "" }), `${O}.name: must not be empty`],
    ["a name between blanks", organization({ name: " O " }), `${O}.name: must not begin or end with spaces`],
    ["a name too long", organization({ name: "😀".repeat(201) }), `${O}.name: must have at most 200 characters`],
    ["a control character", organization({ name: "a\u0000b" }), `${O}.name: must not contain control characters`],
    ["a lone surrogate", organization({ name: "a\ud800" }), `${O}.name: must not contain control characters`],
    ["a bidirectional override", profile({ firstName: "a\u202eb" }), `${U}.profile.firstName: must not contain`],
    ["a bad id", organization({ id: "a b" }), `${O}.id: must be 1 to 200 of the characters A-Z`],
    ["an id of dots", organization({ id: ".." }), `${O}.id: must not consist of dots alone`],
    ["an unknown language", { instance: { defaultLanguage: "xx" } }, "instance.defaultLanguage: must be one of af, ar"],
    ["a regional language", organization({ defaultLanguage: "en-US" }), `${O}.defaultLanguage: must be one of`],
    ["an unknown feature", { instance: { features: { magic: true } } }, "instance.features.magic: is not known here"],
    [
      "no domain name",
      organization({ domains: [{ domain: "127.0.0.1" }] }),
      `${O}.domains[0].domain: must be a domain name`,
    ],
  ])("refuses %s", (_, content, line) => expectLine(content, line));

  it.each<[string, (text: string) => object, string]>([
    ["a name", (name) => organization({ name }), `${O}.name`],
    ["a redirect address", (uri) => oidc({ redirectUris: [uri] }), `${A}.oidc.redirectUris[0]`],
    ["an address", email, `${U}.email.email`],
    ["a password", (password) => user({ password }), `${U}.password`],
    ["a text", (subject) => message({ subject }), `${T}.subject`],
    ["the name of a member", (name) => profile({ [name]: 1 }), `${U}.profile`],
  ])("refuses %s of megabytes before any pattern reads it", (_, content, path) => {
    for (const part of ["a", "a.", "😀", "\u200b"]) {
      const line = `${path}: must have at most 1000000 characters`;
      expect(lines(content(part.repeat(9_000_000 / part.length)))).toEqual([line]);
    }
  });

  it.each<[string, unknown, string]>([
    ["a password too short", user({ password: "12345é7" }), `${U}.password: must have at least 8 characters`],
    [
      "a password short in characters",
      user({ password: "😀".repeat(7) }),
      `${U}.password: must have at least 8 characters`,
    ],
    ["a password too long", user({ password: "a".repeat(1001) }), `${U}.password: must have at most 1000 characters`],
    ["a role nobody knows", user({ roles: ["ROOT"] }), `${U}.roles[0]: must be one of ${MEMBER_ROLES.join(", ")}`],
    [
      "a role of the system",
      user({ roles: ["SYSTEM_OWNER"] }),
      `${U}.roles[0]: must be one of ${MEMBER_ROLES.join(", ")}`,
    ],
    ["a user name that is a domain", user({ userName: "@acme.test" }), `${U}.userName: must not begin or end with @`],
    ["no address", email("ada"), `${U}.email.email: must be an email address, such as name@example.com`],
    [
      "two addresses",
      email("a@x.test,b@y.test"),
      `${U}.email.email: must be an email address, such as name@example.com`,
    ],
    ["a quoted address", email('"a@b"@x.test'), `${U}.email.email: must be an email address, such as name@example.com`],
    ["a mail header", email("a@x.test\r\nBcc: b@y.test"), `${U}.email.email: must not contain control characters`],
    ["a phone without +", user({ phone: { phone: "01234" } }), `${U}.phone.phone: must be + and 5 to 15 digits`],
    ["script for a website", claims({ website: "javascript:alert(1)" }), `${U}.claims.website: must be an http`],
    ["a day that is none", claims({ birthdate: "1815-02-30" }), `${U}.claims.birthdate: must be a date`],
    ["a zone that is none", claims({ zoneinfo: "Mars/Olympus" }), `${U}.claims.zoneinfo: must be a time zone`],
    ["a malformed tag", profile({ preferredLanguage: "e" }), `${U}.profile.preferredLanguage: must be a BCP 47`],
    ["an unknown gender", profile({ gender: "x" }), `${U}.profile.gender: must be female, male or diverse`],
    ["a secret too short", machine({ secret: "short" }), `${M}.secret: must have at least 32 characters`],
    ["a private key", key({ publicKey: privatePem }), `${M}.keys[0].publicKey: must be a public key; this one is`],
    ["a key that is none", key({ publicKey: "abc" }), `${M}.keys[0].publicKey: must be a public key in PEM format`],
    ["a key too short", key({ publicKey: pem(1024) }), `${M}.keys[0].publicKey: must have at least 2048 bits`],
    ["a bad end of a key", key({ expirationDate: "soon" }), `${M}.keys[0].expirationDate: must be a time, such as`],
  ])("refuses %s", (_, content, line) => expectLine(content, line));

  it.each<[string, unknown, string]>([
    ["neither oidc nor api", app({}), `${A}: needs either "oidc" or "api"`],
    ["both oidc and api", app({ oidc: {}, api: {} }), `${A}: needs either "oidc" or "api"`],
    ["an unknown response type", oidc({ responseTypes: ["CODE"] }), `${A}.oidc.responseTypes[0]: must be one of OIDC_`],
    [
      "an OIDC method for an API",
      app({ api: { authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" } }),
      `${A}.api.authMethodT`,
    ],
    [
      "a symmetric key",
      jwk({ kty: "oct", k: "c2VjcmV0" }),
      `${A}.oidc.jwks.keys[0]: must be a public key; this one is s`,
    ],
    ["a private JWK", jwk(privateJwk), `${A}.oidc.jwks.keys[0]: must be a public key; this one is private`],
    ["a JWK that is none", jwk({ kty: "RSA" }), `${A}.oidc.jwks.keys[0]: must be a public key in JWK format`],
    ["a key for encryption", jwk({ kty: "RSA", use: "enc" }), `${A}.oidc.jwks.keys[0]: must be for signatures`],
    ["a lifetime without unit", oidc({ accessTokenLifetime: "600" }), `${A}.oidc.accessTokenLifetime: must be a dur`],
    ["a clock skew too long", oidc({ clockSkew: "10s" }), `${A}.oidc.clockSkew: must be a duration from 0s to 5s`],
    [
      "an origin with a path",
      oidc({ additionalOrigins: ["https://a.test/x"] }),
      `${A}.oidc.additionalOrigins[0]: must`,
    ],
    [
      "a blank in a client id",
      oidc({ clientId: "a b" }),
      `${A}.oidc.clientId: must be 1 to 200 printable ASCII characters`,
    ],
    ["an unknown message", message({ type: "hello" }), `${T}.type: must be one of init,`],
    ["a text too long", message({ title: "😀".repeat(501) }), `${T}.title: must have at most 500 characters`],
    ["a title in a short message", message({ type: "verifysmsotp", title: "x" }), `${T}.title: a verifysmsotp message`],
    [
      "a short message too long",
      message({ type: "verifyphone", text: "x".repeat(801) }),
      `${T}.text: Use at most 800 char`,
    ],
    ["an unknown variable", message({ title: "Hi {{.Nobody}}" }), `${T}.title: There is no variable {{.Nobody}}.`],
    ["another message's variable", message({ text: "{{.TempUsername}}" }), `${T}.text: init messages have no`],
    ["open braces", message({ text: "Your code: {{.Code" }), `${T}.text: These braces are not closed with }}. Did`],
  ])("refuses %s", (_, content, line) => expectLine(content, line));

  it("reports all mistakes at once and repeats no secret", () => {
    const users = [{ userName: "a", password: "hunter2" }];
    const found = lines(organization({ users, machines: [{ userName: "b", secret: "hunter2" }] }));
    expect(found).toHaveLength(2);
    expect(found.join()).not.toContain("hunter2");
  });

  it("accepts values at the limit", () => {
    expect(lines(organization({ id: "A.z_0@-", name: "😀".repeat(200) }))).toEqual([]);
    expect(lines(user({ password: "8 points" }))).toEqual([]);
    expect(lines(message({ text: "😀\n".repeat(5_000), footerText: "" }))).toEqual([]);
    expect(lines(claims({ birthdate: "0000-02-29" }))).toEqual([]);
    expect(
      lines(oidc({ version: "OIDC_VERSION_1_0", clockSkew: "5s", additionalOrigins: ["https://a.test"] })),
    ).toEqual([]);
  });
});

function expectLine(content: unknown, line: string): void {
  const found = lines(content);
  expect(found).toHaveLength(1);
  expect(found[0]?.slice(0, line.length)).toBe(line);
}
