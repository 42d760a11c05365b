import { beforeAll, describe, expect, it } from "vitest";
import { type CertifiedKey, newCertifiedKey } from "../../crypto/self-signed-certificate";
import {
  EC_KEY,
  ecdsa,
  type ForgedLogout,
  forgedLogout,
  logoutService,
  SHA1,
  samlMetadata,
  type TestSamlProvider,
  testSamlProvider,
} from "../../testing/saml-provider";
import { receivedMessage } from "./bindings";
import { verifyLogoutRequest } from "./logout";
import { readProviderMetadata } from "./provider-metadata";

const NOW = Date.parse("2026-11-29T12:00:00Z");
const sloUrl = "https://id.test/idps/1/saml/slo";
const MINUTE = 60_000;

describe("the logout request of a SAML provider", () => {
  let provider: TestSamlProvider;
  let [ours, other]: CertifiedKey[] = [];
  beforeAll(async () => {
    provider = await testSamlProvider();
    [ours, other] = await Promise.all(["id.test", "other.test"].map((name) => newCertifiedKey(name, NOW, 1)));
  });

  const verifyText = (binding: "redirect" | "post", parameters: string) => {
    const certificates = [provider.key.certificate, EC_KEY.certificate];
    const decryptionKeys = [ours?.privateKey ?? ""];
    const { entityId } = provider;
    let check = "";
    try {
      const message = receivedMessage(binding, parameters);
      if (!message) return "no message";
      const expected = { sloUrl, provider: { entityId, certificates }, decryptionKeys, now: NOW };
      return verifyLogoutRequest(message, expected, (begun) => {
        check = begun;
      });
    } catch (error) {
      return `${check}: ${(error as Error).message}`;
    }
  };
  /** Returns the request, or the check that failed with its reason. */
  const verify = async (forged: ForgedLogout = {}) => {
    const { binding, parameters } = await forgedLogout(provider, { sloUrl, now: NOW }, forged);
    return verifyText(binding, parameters);
  };

  describe.each(["redirect", "post"] as const)("by %s", (binding) => {
    it("names the user and the sessions", async () => {
      expect(await verify({ binding, id: "_1", sessionIndexes: ["a", "b"], relayState: "it's & so on" })).toEqual({
        ...{ id: "_1", nameId: "pat", sessionIndexes: ["a", "b"] },
        expiresAt: NOW + 11 * MINUTE,
      });
      expect(await verify({ binding, notOnOrAfter: MINUTE })).toMatchObject({ expiresAt: NOW + 2 * MINUTE });
    });

    it("may be signed by ECDSA, and may have a NameID that is encrypted for us", async () => {
      expect(await verify({ binding, key: EC_KEY, algorithms: ecdsa("sha256") })).toMatchObject({ nameId: "pat" });
      expect(await verify({ binding, encryptsFor: ours?.certificate })).toMatchObject({ nameId: "pat" });
    });

    it.each<[string, () => ForgedLogout, RegExp]>([
      ["it is not signed", () => ({ isUnsigned: true }), /^signature: it is not signed/],
      ["another key signed it", () => ({ key: other }), /^signature: no key of the metadata/],
      ["it is signed by SHA-1", () => ({ algorithms: SHA1 }), /^signature: the signature uses SHA-1/],
      ["another provider issued it", () => ({ issuer: "https://evil.test" }), /^issuer: another provider/],
      ["it has no issuer", () => ({ change: (xml) => xml.replace(/<saml:Issuer>.*?<\/saml:Issuer>/, "") }), /^issuer/],
      [
        "it was sent to another provider of ours",
        () => ({ destination: "https://id.test/idps/2/saml/slo" }),
        /^destination/,
      ],
      ["it was sent inwards", () => ({ destination: "http://169.254.169.254/" }), /^destination/],
      [
        "it has no destination",
        () => ({ change: (xml) => xml.replace(/ Destination="[^"]*"/, "") }),
        /^destination: it was sent to another address/,
      ],
      ["it has expired", () => ({ notOnOrAfter: -2 * MINUTE }), /^time: it has expired/],
      ["it is old", () => ({ issuedAt: -12 * MINUTE }), /^time: it has expired/],
      ["it is of tomorrow", () => ({ issuedAt: 24 * 60 * MINUTE }), /^time: it is not valid yet/],
      ["it names nobody", () => ({ nameId: " " }), /^subject: it has no NameID/],
      ["its NameID is encrypted for others", () => ({ encryptsFor: other?.certificate }), /^subject/],
      [
        "it names too many sessions",
        () => ({ sessionIndexes: Array.from({ length: 51 }, (_, index) => `s${index}`) }),
        /^subject/,
      ],
    ])("is refused if %s", async (_, forged, reason) => {
      expect(await verify({ binding, ...forged() })).toMatch(reason);
    });

    it.each<[string, (xml: string) => string]>([
      ["an external entity", (xml) => `<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml}`],
      ["an entity bomb", (xml) => `<!DOCTYPE a [<!ENTITY b "aaaa"><!ENTITY c "&b;&b;&b;">]>${xml}`],
      ["a comment in the NameID", (xml) => xml.replace(">pat<", ">pat<!-- -->.evil<")],
      ["an unknown root", (xml) => xml.replaceAll("LogoutRequest", "LogoutRequest2")],
      [
        "an ID twice",
        (xml) => xml.replace("<saml:NameID", '<saml:NameID ID="_same"').replace(/ ID="_l[^"]*"/, ' ID="_same"'),
      ],
      ["no XML", () => "hello"],
    ])("is refused if it has %s", async (_, change) => {
      expect(await verify({ binding, change })).toMatch(/^message: /);
    });
  });

  it.each<[string, (signed: string) => string]>([
    [
      "around the signed one, in extensions",
      (signed) =>
        signed
          .replace(/<ds:Signature.*<\/ds:Signature>/s, "")
          .replace(">pat<", ">admin<")
          .replace(/ ID="[^"]*"/, ' ID="_evil"')
          .replace("<saml:NameID", `<samlp:Extensions>${signed}</samlp:Extensions><saml:NameID`),
    ],
    [
      "with the signature of the one that it contains",
      (signed) => {
        const [signature = ""] = /<ds:Signature.*<\/ds:Signature>/s.exec(signed) ?? [];
        const inner = signed.replace(signature, "");
        return inner
          .replace(">pat<", ">admin<")
          .replace(/ ID="[^"]*"/, ' ID="_evil"')
          .replace("<saml:NameID", `${signature}<samlp:Extensions>${inner}</samlp:Extensions><saml:NameID`);
      },
    ],
    [
      "inside the object of the signature",
      (signed) => {
        const [signature = ""] = /<ds:Signature.*<\/ds:Signature>/s.exec(signed) ?? [];
        const inner = signed.replace(signature, "");
        const holding = signature.replace("</ds:Signature>", `<ds:Object>${inner}</ds:Object></ds:Signature>`);
        return signed
          .replace(signature, holding)
          .replace(/ ID="[^"]*"/, ' ID="_evil"')
          .replace(">pat<", ">admin<");
      },
    ],
    ["with the same ID", (signed) => signed.replace("</samlp:LogoutRequest>", `${signed}</samlp:LogoutRequest>`)],
    ["that was changed", (signed) => signed.replace(">pat<", ">admin<")],
  ])("is refused as a wrapping %s", async (_, change) => {
    expect(await verify({ binding: "post", change })).toMatch(/^(message|signature): /);
  });

  it("is refused if its query is changed, repeated, or not signed as a query", async () => {
    const { parameters } = await forgedLogout(provider, { sloUrl, now: NOW }, { relayState: "a" });
    const other = await forgedLogout(provider, { sloUrl, now: NOW }, { nameId: "admin" });
    const message = (text: string) => /SAMLRequest=[^&]*/.exec(text)?.[0] ?? "";
    expect(verifyText("redirect", parameters)).toMatchObject({ nameId: "pat" });
    const changed = [
      parameters.replace(message(parameters), message(other.parameters)),
      parameters.replace("RelayState=a", "RelayState=b"),
      parameters.replace("&RelayState=a", ""),
      parameters.replace(/SigAlg=[^&]*/, "SigAlg=http%3A%2F%2Fwww.w3.org%2F2000%2F09%2Fxmldsig%23hmac-sha1"),
      parameters.replace(/&Signature=.*/, "&Signature=AAAA"),
    ];
    for (const one of changed) expect(verifyText("redirect", one)).toMatch(/^signature: /);
    const repeated = [
      `${message(other.parameters)}&${parameters}`,
      `${message(other.parameters).replace("SAML", "S%41ML")}&${parameters}`,
      `${parameters}&SigAlg=x`,
      `${parameters}&SAMLResponse=AAAA`,
    ];
    for (const one of repeated) expect(verifyText("redirect", one)).toMatch(/^message: /);
    const enveloped = await forgedLogout(provider, { sloUrl, now: NOW }, { binding: "post" });
    expect(verifyText("redirect", enveloped.parameters)).toMatch(/^message: /);
    expect(verifyText("redirect", "RelayState=a")).toBe("no message");
  });

  it("is refused if it inflates to more than a message", async () => {
    const change = (xml: string) => xml.replace("<saml:NameID", `${" ".repeat(10_000_000)}<saml:NameID`);
    expect(await verify({ change })).toBe("message: it is not deflated, or too long");
  });
});

describe("the addresses for sign-outs in metadata", () => {
  const logoutIn = async (services: string) => {
    const { key } = await testSamlProvider();
    const metadata = samlMetadata("https://a.test", [key.certificate]);
    return readProviderMetadata(metadata.replace("<md:SingleSignOnService", `${services}<md:SingleSignOnService`))
      .logout;
  };

  it("are those of both bindings, with one of their own for responses", async () => {
    const more = ' ResponseLocation="https://a.test/answer"';
    const services = logoutService("https://a.test/slo", "Redirect", more) + logoutService("https://a.test/p", "POST");
    expect(await logoutIn(services)).toEqual({
      redirect: { requests: "https://a.test/slo", responses: "https://a.test/answer" },
      post: { requests: "https://a.test/p", responses: "https://a.test/p" },
    });
  });

  it.each(["javascript:alert(1)", "http://10.0.0.1/slo", "ftp://a.test", "https://user@a.test/", ""])(
    "are not %s, which refuses no sign-in",
    async (address) => {
      expect(await logoutIn(logoutService(address))).toEqual({});
    },
  );
});
