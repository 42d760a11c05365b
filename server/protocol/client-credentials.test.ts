import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assertionType, parseClientCredentials } from "./client-credentials";
import { isError } from "./oauth-error";
import { parametersFrom } from "./parameters";

const form = (values: Record<string, string>) => parametersFrom(Object.entries(values));
const basic = (text: string | Buffer) => `Basic ${Buffer.from(text).toString("base64")}`;
const assertion = { client_assertion: "e30.e30.sig", client_assertion_type: assertionType };

describe("client credentials (RFC 6749 §2.3.1)", () => {
  it.each([
    ["web", "s3cret", "web:s3cret"],
    ["ada@acme.test", "a+b c", "ada%40acme.test:a%2Bb+c"],
    ["a:b", "c:d", "a%3Ab:c:d"],
    ["wäb", "ü", "w%C3%A4b:%C3%BC"],
    ["wäb", "ü", "wäb:ü"],
  ])("reads %s and %s from Basic %s", (clientId, clientSecret, sent) => {
    const expected = { method: "client_secret_basic", clientId, clientSecret };
    expect(parseClientCredentials(basic(sent), form({}))).toMatchObject(expected);
    expect(parseClientCredentials(basic(sent).replace("Basic ", "bAsIc   "), form({}))).toMatchObject(expected);
  });

  it.each([
    ["web:a+b/c=", { clientSecret: "a b/c=", sentSecret: "a+b/c=" }],
    ["web:100%", { clientSecret: "100%" }],
    ["web:a%2Bb", { clientSecret: "a+b", sentSecret: "a%2Bb" }],
    ["web:plain-._~", { clientSecret: "plain-._~" }],
  ])("keeps the secret as sent in addition to the decoded one if they differ: %s", (sent, secrets) => {
    const expected = { method: "client_secret_basic", clientId: "web", ...secrets };
    expect(parseClientCredentials(basic(sent), form({}))).toEqual(expected);
  });

  it("accepts credentials at their limits", () => {
    const [id, secret] = ["i".repeat(256), "s".repeat(1024)];
    const header = basic(`${id}:${secret}`);
    expect(parseClientCredentials(header.padEnd(8192, " "), form({}))).toMatchObject({ clientSecret: secret });
    expect(parseClientCredentials(undefined, form({ client_id: id, client_secret: secret }))).toMatchObject({
      clientId: id,
    });
    const longest = { ...assertion, client_assertion: "x".repeat(16 * 1024) };
    expect(parseClientCredentials(undefined, form(longest))).toMatchObject({ method: "private_key_jwt" });
  });

  it("accepts client_id with Basic if it is the same", () => {
    expect(parseClientCredentials(basic("web:s"), form({ client_id: "web" }))).toMatchObject({ clientId: "web" });
    expect(parseClientCredentials(basic("web:s"), form({ client_id: "api" }))).toMatchObject({
      error: "invalid_request",
    });
  });

  it("reads Basic with an empty secret as no secret (rule CLIENT-4)", () => {
    const expected = { method: "none", clientId: "web", emptySecret: true };
    expect(parseClientCredentials(basic("web:"), form({}))).toEqual(expected);
    expect(parseClientCredentials(basic("web:"), form({ client_id: "web" }))).toEqual(expected);
    expect(parseClientCredentials(basic("web:"), form({ client_secret: "s" }))).toMatchObject({
      error: "invalid_request",
    });
  });

  it("reads the methods of the body", () => {
    expect(parseClientCredentials(undefined, form({ client_id: "web", client_secret: "s" }))).toEqual({
      method: "client_secret_post",
      clientId: "web",
      clientSecret: "s",
    });
    expect(parseClientCredentials(undefined, form({ client_id: "spa" }))).toEqual({ method: "none", clientId: "spa" });
    expect(parseClientCredentials(undefined, form(assertion))).toEqual({
      method: "private_key_jwt",
      assertion: "e30.e30.sig",
    });
    expect(parseClientCredentials(undefined, form({ ...assertion, client_id: "web" }))).toMatchObject({
      clientId: "web",
    });
  });

  it.each([
    "Basic",
    "Basic ",
    "Basic !!!",
    basic(""),
    basic(":"),
    basic("web"),
    basic(":secret"),
    basic("%zz:secret"),
    basic("%C3%28:x"),
    basic(Buffer.from([0xff, 0x3a, 0x61])),
    basic(`${"x".repeat(257)}:s`),
    basic(`web:${"x".repeat(1025)}`),
    `${basic("web:s")}${" ".repeat(8192 - basic("web:s").length + 1)}`,
    "Basic d2ViOnM=x",
    "Bearer abc",
    'Digest username="web"',
    "",
  ])("rejects the header %j: invalid_client, with the challenge", (authorization) => {
    expect(parseClientCredentials(authorization, form({}))).toMatchObject({
      error: "invalid_client",
      status: 401,
    });
  });

  it.each([
    [`${basic("web:s")}, ${basic("web:s")}`, {}],
    [`${basic("web:s")}, Bearer abc`, {}],
    [basic("web:s"), { client_secret: "s" }],
    [basic("web:s"), { client_id: "web", client_secret: "s" }],
    [basic("web:s"), assertion],
    [basic("web:s"), { client_assertion_type: assertionType }],
    [undefined, { ...assertion, client_id: "web", client_secret: "s" }],
    [undefined, { client_assertion: "e30.e30.sig" }],
    [undefined, { client_assertion_type: assertionType }],
    [undefined, { ...assertion, client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:saml2-bearer" }],
  ])("rejects %s with %j: invalid_request", (authorization, values) => {
    expect(parseClientCredentials(authorization, form(values as Record<string, string>))).toMatchObject({
      error: "invalid_request",
    });
  });

  it("rejects a repeated parameter: invalid_request", () => {
    const repeated = parametersFrom([
      ["client_id", "web"],
      ["client_id", "api"],
    ]);
    expect(parseClientCredentials(undefined, repeated)).toMatchObject({ error: "invalid_request" });
  });

  it.each([
    [{}],
    [{ client_secret: "s" }],
    [{ client_id: "" }],
    [{ client_id: "x".repeat(257) }],
    [{ client_id: "web", client_secret: "x".repeat(1025) }],
    [{ ...assertion, client_assertion: "x".repeat(16 * 1024 + 1) }],
  ])("rejects credentials that cannot identify a client: invalid_client (%#)", (values) => {
    const refused = parseClientCredentials(undefined, form(values as Record<string, string>));
    expect(refused).toMatchObject({ error: "invalid_client", status: 401 });
  });

  it("reads back what a client encodes as in RFC 6749 (property)", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }).filter((s) => !s.includes("\0"));
    const encode = (value: string) => new URLSearchParams([["", value]]).toString().slice(1);
    fc.assert(
      fc.property(text, text, (clientId, clientSecret) => {
        const credentials = parseClientCredentials(basic(`${encode(clientId)}:${encode(clientSecret)}`), form({}));
        expect(credentials).toMatchObject({ method: "client_secret_basic", clientId, clientSecret });
      }),
    );
  });

  it("parses or rejects any header and form, without a secret in the error (property)", () => {
    const header = fc.oneof(fc.constant(undefined), fc.string(), fc.string().map(basic));
    const names = fc.constantFrom("client_id", "client_secret", "client_assertion", "client_assertion_type");
    const value = fc.oneof(fc.string({ minLength: 20 }), fc.constant(assertionType));
    fc.assert(
      fc.property(header, fc.dictionary(names, value), (authorization, values) => {
        const credentials = parseClientCredentials(authorization, form(values));
        if (!isError(credentials)) return;
        expect(["invalid_client", "invalid_request"]).toContain(credentials.error);
        if (values.client_secret) expect(credentials.description).not.toContain(values.client_secret);
      }),
    );
  });
});
