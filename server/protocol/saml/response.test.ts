import { beforeAll, describe, expect, it } from "vitest";
import { type CertifiedKey, newCertifiedKey } from "../../crypto/self-signed-certificate";
import {
  EC_KEY,
  ecdsa,
  type ForgedSaml,
  SHA1,
  samlMetadata,
  type TestSamlProvider,
  testSamlProvider,
} from "../../testing/saml-provider";
import { readProviderMetadata } from "./provider-metadata";
import { type ExpectedResponse, SAML_CHECKS, verifySamlResponse } from "./response";

const NOW = Date.parse("2026-11-29T12:00:00Z");
const ASKED = {
  requestId: "_request",
  acsUrl: "https://id.test/idps/1/saml/acs",
  audience: "https://id.test/idps/1/saml/metadata",
  now: NOW,
};

describe("the response of a SAML provider", () => {
  let provider: TestSamlProvider;
  let [ours, other, next]: CertifiedKey[] = [];
  beforeAll(async () => {
    provider = await testSamlProvider();
    [ours, other, next] = await Promise.all(
      ["id.test", "other.test", "next.test"].map((name) => newCertifiedKey(name, NOW, 1)),
    );
  });

  const expectation = (more: Partial<ExpectedResponse> = {}): ExpectedResponse => ({
    ...ASKED,
    provider: { entityId: provider.entityId, certificates: [provider.key.certificate] },
    decryptionKeys: [next?.privateKey ?? "", ours?.privateKey ?? ""],
    ...more,
  });
  /** Returns the assertion, or the check that failed with its reason. */
  const verify = async (forged: ForgedSaml = {}, expected = expectation()) => {
    let check: string = "";
    try {
      return verifySamlResponse(await provider.respond(ASKED, forged), expected, (begun) => {
        check = begun;
      });
    } catch (error) {
      return `${check}: ${(error as Error).message}`;
    }
  };

  it.each<ForgedSaml["signs"]>(["assertion", "response", "both"])("is accepted if the %s is signed", async (signs) => {
    expect(await verify({ signs, attributes: { mail: "pat@partner.test", groups: ["a", "b"] } })).toMatchObject({
      nameId: "pat",
      attributes: { mail: ["pat@partner.test"], groups: ["a", "b"] },
      expiresAt: NOW + 360_000,
    });
  });

  it.each<ForgedSaml["signs"]>(["assertion", "response", "both"])("is decrypted if the %s is signed", async (signs) => {
    expect(await verify({ signs, encryptsFor: ours?.certificate })).toMatchObject({ nameId: "pat" });
    const keyAlgorithm = "oaep-sha256";
    expect(await verify({ signs, encryptsFor: ours?.certificate, keyAlgorithm })).toMatchObject({ nameId: "pat" });
  });

  it("is accepted by any of several certificates, as providers have two while they change the key", async () => {
    const certificates = [other?.certificate ?? "", provider.key.certificate];
    const expected = expectation({ provider: { entityId: provider.entityId, certificates } });
    expect(await verify({}, expected)).toMatchObject({ nameId: "pat" });
  });

  it.each(["sha256", "sha384", "sha512"] as const)("is accepted with a signature by ECDSA with %s", async (hash) => {
    const { entityId } = provider;
    const known = readProviderMetadata(samlMetadata(entityId, [EC_KEY.certificate]));
    const forged = { key: EC_KEY, algorithms: ecdsa(hash) };
    expect(await verify(forged, expectation({ provider: known }))).toMatchObject({ nameId: "pat" });
    expect(await verify({ ...forged, key: other }, expectation({ provider: known }))).toMatch(
      /^assertion_signature: no key/,
    );
    const change = (xml: string) => xml.replace(">pat<", ">ada<");
    expect(await verify({ ...forged, change }, expectation({ provider: known }))).toMatch(
      /^assertion_signature: no key/,
    );
  });

  it("is refused if the user signed in there before a new sign-in was asked for", async () => {
    const asked = expectation({ authenticatedSince: NOW });
    expect(await verify({ authnInstant: -59_000 }, asked)).toMatchObject({ nameId: "pat" });
    expect(await verify({ authnInstant: -61_000 }, asked)).toBe("age: the user signed in there too long ago");
  });

  it("is accepted by clocks that differ by less than a minute", async () => {
    expect(await verify({ notBefore: 59_000 })).toMatchObject({ nameId: "pat" });
    expect(await verify({ notOnOrAfter: -59_000 })).toMatchObject({ nameId: "pat" });
  });

  it("names its checks in their order", async () => {
    const begun: string[] = [];
    const text = await provider.respond(ASKED, { signs: "both", encryptsFor: ours?.certificate });
    verifySamlResponse(text, expectation({ authenticatedSince: NOW }), (check) => begun.push(check));
    expect(begun).toEqual(SAML_CHECKS);
  });

  it.each<[string, ForgedSaml, string | RegExp]>([
    ["another issuer", { issuer: "https://evil.test" }, /^issuer: another provider/],
    ["another request", { inResponseTo: "_other" }, /^in_response_to: /],
    ["no request (sign-in that the provider starts)", { inResponseTo: "" }, /^in_response_to: /],
    ["another request in the signed part", { confirms: "_other" }, /^recipient: it answers another request/],
    ["another destination", { destination: "https://evil.test" }, /^destination: /],
    ["no destination although it is signed", { destination: "", signs: "response" }, /^destination: /],
    ["another recipient", { recipient: "https://evil.test" }, /^recipient: it is meant for another address/],
    ["another audience", { audience: "https://evil.test" }, /^audience: /],
    ["an end in the past", { notOnOrAfter: -61_000 }, /^time: it has expired/],
    ["a beginning in the future", { notBefore: 61_000 }, /^time: it is not valid yet/],
    ["no NameID", { nameId: " " }, /^subject: /],
    ["no signature", { signs: "none" }, /^assertion_signature: neither/],
    ["a signature by SHA-1", { algorithms: SHA1 }, /^assertion_signature: the signature uses SHA-1/],
    [
      "a signature over comments",
      { transform: "http://www.w3.org/2001/10/xml-exc-c14n#WithComments" },
      /^assertion_signature: .*transform/,
    ],
    ["a refusal", { status: "urn:oasis:names:tc:SAML:2.0:status:Responder" }, "status: Responder"],
  ])("is refused with %s", async (_, forged, reason) => {
    expect(await verify(forged)).toMatch(reason);
  });

  it("is refused with a signature by another key, also if the message has its certificate", async () => {
    expect(await verify({ key: other })).toMatch(/^assertion_signature: no key/);
    expect(await verify({ key: other, signs: "response" })).toMatch(/^response_signature: no key/);
  });

  it("is refused if it is encrypted for another key, or by an algorithm that reveals the key", async () => {
    expect(await verify({ encryptsFor: other?.certificate })).toMatch(/^decryption: /);
    const keyAlgorithm = "http://www.w3.org/2001/04/xmlenc#rsa-1_5";
    expect(await verify({ encryptsFor: ours?.certificate, keyAlgorithm })).toMatch(/^decryption: /);
    expect(await verify({ encryptsFor: ours?.certificate, keyAlgorithm: "oaep-mixed" })).toMatch(/^decryption: /);
    expect(await verify({ encryptsFor: ours?.certificate, signs: "none" })).toMatch(/^assertion_signature: neither/);
    expect(await verify({ encryptsFor: ours?.certificate, algorithms: SHA1 })).toMatch(/SHA-1/);
  });

  it.each<[string, (xml: string) => string, string | RegExp]>([
    ["an external entity", (xml) => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml}`, /document type/],
    [
      "an entity bomb",
      (xml) => `<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>${xml.replace(">pat<", ">&b;<")}`,
      /document type/,
    ],
    ["an entity that is not declared", (xml) => xml.replace(">pat<", ">&x;<"), /not well-formed/],
    ["a comment in the NameID", (xml) => xml.replace(">pat<", ">p<!-- -->at<"), /a comment/],
    ["a processing instruction", (xml) => xml.replace(">pat<", "><?x y?>pat<"), /processing instruction/],
    ["text behind the end", (xml) => `${xml}<more/>`, /not well-formed/],
    ["no XML", () => "SAMLResponse", /not well-formed/],
    ["another message", (xml) => xml.replaceAll("samlp:Response", "samlp:LogoutResponse"), /not a SAML response/],
    ["a changed NameID", (xml) => xml.replace(">pat<", ">ada<"), /^assertion_signature: no key/],
  ])("is refused with %s", async (_, change, reason) => {
    expect(await verify({ change })).toMatch(reason);
  });

  it("is refused if elements are nested so deeply that no reader survives it", async () => {
    const deep = (xml: string) => xml.replace(">pat<", `>${"<a>".repeat(20_000)}${"</a>".repeat(20_000)}<`);
    expect(await verify({ change: deep })).toMatch(/: /);
  });

  describe("with a wrapped signature", () => {
    const ASSERTION = /<saml:Assertion.*<\/saml:Assertion>/s;
    const SIGNATURE = /<ds:Signature.*?<\/ds:Signature>/s;
    const partOf = (xml: string, part: RegExp) => part.exec(xml)?.[0] ?? "";
    /** The assertion for another user, without a signature and with another ID. */
    const evil = (xml: string) =>
      partOf(xml, ASSERTION)
        .replace(SIGNATURE, "")
        .replace(">pat<", ">ada<")
        .replace(/ ID="[^"]*"/, ' ID="_evil"');
    const wholeEvil = (xml: string) =>
      xml
        .replace(SIGNATURE, "")
        .replace(">pat<", ">ada<")
        .replace(/ ID="_r[^"]*"/, ' ID="_evil"');

    // The eight of Somorovsky et al., "On Breaking SAML: Be Whoever You Want to Be" (USENIX Security 2012), table 1.
    it.each<[string, "assertion" | "response", (xml: string) => string]>([
      [
        "1: the signed response is in the signature of a forged one",
        "response",
        (xml) => {
          const original = xml.replace(SIGNATURE, "");
          const signature = partOf(xml, SIGNATURE).replace("</ds:Signature>", `${original}</ds:Signature>`);
          return wholeEvil(xml).replace("</saml:Issuer>", `</saml:Issuer>${signature}`);
        },
      ],
      [
        "2: the signed response is beside the signature of a forged one",
        "response",
        (xml) => {
          const original = xml.replace(SIGNATURE, "");
          return wholeEvil(xml).replace("</saml:Issuer>", `</saml:Issuer>${partOf(xml, SIGNATURE)}${original}`);
        },
      ],
      [
        "3: a forged assertion is before the signed one",
        "assertion",
        (xml) => xml.replace(ASSERTION, (signed) => evil(xml) + signed),
      ],
      [
        "4: the signed assertion is in a forged one",
        "assertion",
        (xml) =>
          xml.replace(ASSERTION, (signed) => evil(xml).replace("</saml:Assertion>", `${signed}</saml:Assertion>`)),
      ],
      [
        "5: the signature is in a forged assertion, and the signed one behind it",
        "assertion",
        (xml) =>
          xml.replace(
            ASSERTION,
            (signed) =>
              evil(xml).replace("</saml:Issuer>", `</saml:Issuer>${partOf(xml, SIGNATURE)}`) +
              signed.replace(SIGNATURE, ""),
          ),
      ],
      [
        "6: the signed assertion is in the signature of a forged one",
        "assertion",
        (xml) =>
          xml.replace(ASSERTION, (signed) => {
            const within = `${signed.replace(SIGNATURE, "")}</ds:Signature>`;
            const signature = partOf(xml, SIGNATURE).replace("</ds:Signature>", within);
            return evil(xml).replace("</saml:Issuer>", `</saml:Issuer>${signature}`);
          }),
      ],
      [
        "7: a forged assertion is in extensions, with the ID of the signed one",
        "assertion",
        (xml) => {
          const id = partOf(partOf(xml, ASSERTION), / ID="[^"]*"/);
          const forged = evil(xml).replace(' ID="_evil"', id);
          return xml.replace("<samlp:Status>", `<samlp:Extensions>${forged}</samlp:Extensions><samlp:Status>`);
        },
      ],
      [
        "8: the signed assertion is in an object of the signature of a forged one",
        "assertion",
        (xml) =>
          xml.replace(ASSERTION, (signed) => {
            const within = `<ds:Object>${signed.replace(SIGNATURE, "")}</ds:Object></ds:Signature>`;
            const signature = partOf(xml, SIGNATURE).replace("</ds:Signature>", within);
            return evil(xml).replace("</saml:Issuer>", `</saml:Issuer>${signature}`);
          }),
      ],
    ])("is refused: %s", async (_, signs, change) => {
      const outcome = await verify({ signs, change });
      expect(outcome).toMatch(/^(?:response|status|assertion_signature|response_signature): /);
    });

    it("is refused with two assertions that are both signed", async () => {
      const second = partOf(await provider.respond(ASKED, { assertionId: "_second" }), ASSERTION);
      const change = (xml: string) => xml.replace("</samlp:Response>", `${second}</samlp:Response>`);
      expect(await verify({ change })).toBe("response: it has several assertions");
    });
  });
});
