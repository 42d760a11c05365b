/** A SAML identity provider whose messages tests choose, also wrong ones. */
import { randomUUID, sign } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { SignedXml } from "xml-crypto";
import { encrypt } from "xml-encryption";
import { type CertifiedKey, newCertifiedKey } from "../crypto/self-signed-certificate";
import { xmlSignature } from "../protocol/saml/signature";

const PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";
const ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";
const ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
const EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
export const SHA1 = {
  signature: "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
  digest: "http://www.w3.org/2000/09/xmldsig#sha1",
};
/** A key of P-256 with its certificate; `newCertifiedKey` makes only RSA keys. */
export const EC_KEY: CertifiedKey = {
  privateKey: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNB5RVwnp5gOZSkgP
ThJdqKjmjCVqtPI/zCNU5rU5X1ahRANCAAQLxI5xsewIlcMT3QO0SgCV03lzP80/
U3n+22eNOmrNh8tjmDr3A1ZdFKe5SQS/iGpkbytkTjq1OICsQMe1rBKB
-----END PRIVATE KEY-----
`,
  certificate: `-----BEGIN CERTIFICATE-----
MIIBezCCASGgAwIBAgIUWd20b+m3tRZpd6hypYoBXLhUBlowCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHZWMudGVzdDAgFw0yNjExMjkxNzI4NTlaGA8yMTI2MTEwNTE3
Mjg1OVowEjEQMA4GA1UEAwwHZWMudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABAvEjnGx7AiVwxPdA7RKAJXTeXM/zT9Tef7bZ406as2Hy2OYOvcDVl0Up7lJ
BL+IamRvK2ROOrU4gKxAx7WsEoGjUzBRMB0GA1UdDgQWBBRGmWeFwDKbsAbzc3dv
tFfvHPL2OzAfBgNVHSMEGDAWgBRGmWeFwDKbsAbzc3dvtFfvHPL2OzAPBgNVHRMB
Af8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIBnCNJgrtpZRg02h/SXExJzjWTkh
yxAsMQgyWeu4xefrAiEAz32qjxGSarL00uGMe/rJzxfGFIrOpoBEXIcv7mmTX2g=
-----END CERTIFICATE-----
`,
};
export const ecdsa = (hash: "sha256" | "sha384" | "sha512") => ({
  ...SHA256,
  signature: `http://www.w3.org/2001/04/xmldsig-more#ecdsa-${hash}`,
});
const SHA256 = {
  signature: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  digest: "http://www.w3.org/2001/04/xmlenc#sha256",
};

/** What a response answers. */
export interface SamlRequestFacts {
  requestId: string;
  acsUrl: string;
  audience: string;
  /** Epoch milliseconds. */
  now: number;
}

/** What differs from a right response. */
export interface ForgedSaml {
  assertionId?: string;
  issuer?: string;
  inResponseTo?: string;
  /** Only in the confirmation of the subject. */
  confirms?: string;
  destination?: string;
  recipient?: string;
  audience?: string;
  status?: string;
  /** Milliseconds after the request. */
  notBefore?: number;
  notOnOrAfter?: number;
  authnInstant?: number;
  nameId?: string;
  nameIdFormat?: string;
  attributes?: Readonly<Record<string, string | readonly string[]>>;
  contexts?: readonly string[];
  sessionIndex?: string;
  signs?: "assertion" | "response" | "both" | "none";
  key?: CertifiedKey;
  algorithms?: typeof SHA256;
  transform?: string;
  /** Encrypts the assertion for a certificate. */
  encryptsFor?: string;
  /** `oaep-sha256`: RSA-OAEP of XML Encryption 1.1 with SHA-256; `oaep-mixed` has SHA-1 for the mask. */
  keyAlgorithm?: typeof RSA_1_5 | "oaep-sha256" | "oaep-mixed";
  /** Changes the signed response. */
  change?(xml: string): string;
}

export interface TestSamlProvider {
  entityId: string;
  key: CertifiedKey;
  metadata: string;
  /** Returns a response as XML. */
  respond(asked: SamlRequestFacts, forged?: ForgedSaml): Promise<string>;
}

/** What differs from a right request of a provider to end sessions. */
export interface ForgedLogout {
  binding?: "redirect" | "post";
  id?: string;
  issuer?: string;
  destination?: string;
  nameId?: string;
  sessionIndexes?: readonly string[];
  relayState?: string;
  /** Milliseconds after now. */
  issuedAt?: number;
  notOnOrAfter?: number;
  isUnsigned?: boolean;
  key?: CertifiedKey;
  algorithms?: typeof SHA256;
  /** Encrypts the NameID for a certificate. */
  encryptsFor?: string;
  /** Changes the message before it is signed by the query, and after it is signed in a form. */
  change?(xml: string): string;
}

/** Returns a request to end sessions, as a query or a form. */
export async function forgedLogout(
  { entityId, key: own }: { entityId: string; key: CertifiedKey },
  { sloUrl, now }: { sloUrl: string; now: number },
  forged: ForgedLogout = {},
): Promise<{ binding: "redirect" | "post"; parameters: string }> {
  const { binding = "redirect", key = own, algorithms = SHA256, isUnsigned, relayState, encryptsFor } = forged;
  const at = (time: number) => new Date(now + time).toISOString();
  const nameId = `<saml:NameID xmlns:saml="${ASSERTION}">${forged.nameId ?? "pat"}</saml:NameID>`;
  const name = encryptsFor === undefined ? nameId : await encrypted(nameId, encryptsFor, undefined, "EncryptedID");
  const end = forged.notOnOrAfter === undefined ? "" : ` NotOnOrAfter="${at(forged.notOnOrAfter)}"`;
  const indexes = (forged.sessionIndexes ?? []).map((one) => `<samlp:SessionIndex>${one}</samlp:SessionIndex>`);
  const xml =
    `<samlp:LogoutRequest xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}" ID="${forged.id ?? `_l${randomUUID()}`}"` +
    ` Version="2.0" IssueInstant="${at(forged.issuedAt ?? 0)}"${end} Destination="${forged.destination ?? sloUrl}">` +
    `<saml:Issuer>${forged.issuer ?? entityId}</saml:Issuer>${name}${indexes.join("")}</samlp:LogoutRequest>`;
  const { change = (text: string) => text } = forged;
  const relay: Record<string, string> = relayState === undefined ? {} : { RelayState: relayState };
  if (binding === "post") {
    const transform = EXCLUSIVE;
    const message = change(isUnsigned ? xml : signedXml(xml, "LogoutRequest", { key, algorithms, transform }));
    const fields = { SAMLRequest: Buffer.from(message).toString("base64"), ...relay };
    return { binding, parameters: new URLSearchParams(fields).toString() };
  }
  const query = { SAMLRequest: deflateRawSync(change(xml)).toString("base64"), ...relay };
  if (isUnsigned) return { binding, parameters: new URLSearchParams(query).toString() };
  const text = new URLSearchParams({ ...query, SigAlg: algorithms.signature }).toString();
  const hash = algorithms === SHA1 ? "sha1" : "sha256";
  const signature = sign(hash, Buffer.from(text), { key: key.privateKey, dsaEncoding: "ieee-p1363" });
  return { binding, parameters: `${text}&${new URLSearchParams({ Signature: signature.toString("base64") })}` };
}

/** The element of metadata with addresses for sign-outs. */
export const logoutService = (location: string, binding: "Redirect" | "POST" = "Redirect", more = ""): string =>
  `<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-${binding}" Location="${location}"${more}/>`;

export const samlMetadata = (entityId: string, certificates: readonly string[], more = ""): string =>
  `<?xml version="1.0"?><!-- of a test --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entityId}"><md:IDPSSODescriptor protocolSupportEnumeration="${PROTOCOL}"${more}>${certificates
    .map(
      (pem) =>
        `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${pem.replace(/-----[A-Z ]+-----/g, "")}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
    )
    .join("")}${["Redirect", "POST"]
    .map(
      (binding) =>
        `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-${binding}" Location="${entityId}/sso"/>`,
    )
    .join("")}</md:IDPSSODescriptor></md:EntityDescriptor>`;

export async function testSamlProvider(entityId = "https://login.partner.test"): Promise<TestSamlProvider> {
  const key = await newCertifiedKey("login.partner.test", Date.now(), 1);
  return {
    entityId,
    key,
    metadata: samlMetadata(entityId, [key.certificate]),
    respond: (asked, forged = {}) => forgedResponse({ entityId, key }, asked, forged),
  };
}

async function forgedResponse(
  { entityId, key: own }: { entityId: string; key: CertifiedKey },
  { requestId, acsUrl, audience, now }: SamlRequestFacts,
  forged: ForgedSaml,
): Promise<string> {
  const { signs = "assertion", issuer = entityId, key = own, inResponseTo = requestId, encryptsFor } = forged;
  const at = (time: number) => new Date(now + time).toISOString();
  const [from, until] = [at(forged.notBefore ?? -1000), at(forged.notOnOrAfter ?? 300_000)];
  const { algorithms = SHA256, transform = EXCLUSIVE } = forged;
  const signed = (xml: string, name: string) => signedXml(xml, name, { key, algorithms, transform });
  const attributes = Object.entries(forged.attributes ?? {})
    .map(([name, values]) => {
      const all = [values].flat().map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`);
      return `<saml:Attribute Name="${name}">${all.join("")}</saml:Attribute>`;
    })
    .join("");
  const session = forged.sessionIndex === undefined ? "" : ` SessionIndex="${forged.sessionIndex}"`;
  const contexts = forged.contexts ?? ["urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"];
  let assertion = [
    `<saml:Assertion xmlns:saml="${ASSERTION}" ID="${forged.assertionId ?? `_a${requestId}`}" Version="2.0" IssueInstant="${at(0)}">`,
    `<saml:Issuer>${issuer}</saml:Issuer><saml:Subject>`,
    `<saml:NameID Format="${forged.nameIdFormat ?? "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"}">`,
    `${forged.nameId ?? "pat"}</saml:NameID>`,
    '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData',
    ` InResponseTo="${forged.confirms ?? inResponseTo}" Recipient="${forged.recipient ?? acsUrl}" NotOnOrAfter="${until}"/>`,
    `</saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${from}" NotOnOrAfter="${until}">`,
    `<saml:AudienceRestriction><saml:Audience>${forged.audience ?? audience}</saml:Audience></saml:AudienceRestriction>`,
    `</saml:Conditions><saml:AuthnStatement AuthnInstant="${at(forged.authnInstant ?? 0)}"${session}>`,
    ...contexts.map(
      (one) => `<saml:AuthnContext><saml:AuthnContextClassRef>${one}</saml:AuthnContextClassRef></saml:AuthnContext>`,
    ),
    `</saml:AuthnStatement><saml:AttributeStatement>${attributes}</saml:AttributeStatement></saml:Assertion>`,
  ].join("");
  if (signs === "assertion" || signs === "both") assertion = signed(assertion, "Assertion");
  if (encryptsFor !== undefined) assertion = await encrypted(assertion, encryptsFor, forged.keyAlgorithm);
  const status = forged.status ?? "urn:oasis:names:tc:SAML:2.0:status:Success";
  const response =
    `<samlp:Response xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}" ID="_r${requestId}" Version="2.0"` +
    ` IssueInstant="${at(0)}" Destination="${forged.destination ?? acsUrl}" InResponseTo="${inResponseTo}">` +
    `<saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>` +
    `${status.endsWith("Success") ? assertion : ""}</samlp:Response>`;
  const whole = signs === "response" || signs === "both" ? signed(response, "Response") : response;
  return forged.change ? forged.change(whole) : whole;
}

function signedXml(
  xml: string,
  name: string,
  { key, algorithms, transform }: { key: CertifiedKey; algorithms: typeof SHA256; transform: string },
): string {
  const signature = xmlSignature({
    privateKey: key.privateKey,
    publicCert: key.certificate,
    signatureAlgorithm: algorithms.signature,
    canonicalizationAlgorithm: EXCLUSIVE,
    getKeyInfoContent: SignedXml.getKeyInfoContent,
  });
  signature.addReference({
    xpath: `/*[local-name()='${name}']`,
    transforms: [ENVELOPED, transform],
    digestAlgorithm: algorithms.digest,
  });
  signature.computeSignature(xml, {
    prefix: "ds",
    location: { reference: `/*/*[local-name()='Issuer']`, action: "after" },
  });
  return signature.getSignedXml();
}

const OAEP = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p" as const;
const RSA_1_5 = "http://www.w3.org/2001/04/xmlenc#rsa-1_5" as const;

function encrypted(
  xml: string,
  certificate: string,
  keyAlgorithm?: ForgedSaml["keyAlgorithm"],
  name = "EncryptedAssertion",
): Promise<string> {
  const options = {
    rsa_pub: certificate,
    pem: certificate,
    encryptionAlgorithm: "http://www.w3.org/2009/xmlenc11#aes256-gcm" as const,
    keyEncryptionAlgorithm: keyAlgorithm === RSA_1_5 ? RSA_1_5 : OAEP,
    keyEncryptionDigest: keyAlgorithm?.startsWith("oaep") ? "sha256" : "sha1",
  };
  const mask = `http://www.w3.org/2009/xmlenc11#mgf1${keyAlgorithm === "oaep-mixed" ? "sha1" : "sha256"}`;
  const named = (key: string) =>
    key
      .replace(OAEP, "http://www.w3.org/2009/xmlenc11#rsa-oaep")
      .replace("2000/09/xmldsig#sha256", "2001/04/xmlenc#sha256")
      .replace(/<DigestMethod[^>]*>/, `$&<MGF xmlns="http://www.w3.org/2009/xmlenc11#" Algorithm="${mask}"/>`);
  return new Promise((resolve, reject) => {
    encrypt(xml, options, (error: Error | null, result) => {
      if (error) reject(error);
      else {
        const content = keyAlgorithm?.startsWith("oaep") ? named(result) : result;
        resolve(`<saml:${name} xmlns:saml="${ASSERTION}">${content}</saml:${name}>`);
      }
    });
  });
}
