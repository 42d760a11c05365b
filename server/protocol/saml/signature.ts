/**
 * Verifies the enveloped signatures of SAML messages (SAML 2.0 Core §5.4) and returns the signed content, parsed from
 * the bytes whose digest was compared. No other part of a document is trusted (attack: signature wrapping). Only RSA
 * and ECDSA with SHA-256 or longer are accepted, by keys of the metadata; keys inside the message are not used.
 */
import { sign, verify } from "node:crypto";
import { SignedXml } from "xml-crypto";
import { attributeOf, childrenOf, elementsBelow, parseXml, SAML } from "./xml";

const ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
const EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
const RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
/** The hashes of ECDSA, which the package lacks. */
const ECDSA = Object.fromEntries(
  ["sha256", "sha384", "sha512"].map((hash) => [`http://www.w3.org/2001/04/xmldsig-more#ecdsa-${hash}`, hash]),
);
const SIGNATURES = [
  ...Object.keys(ECDSA),
  RSA_SHA256,
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
  "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
];
const SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256";
const DIGESTS = [SHA256, "http://www.w3.org/2001/04/xmlenc#sha512"];

/** ECDSA, whose signature is both numbers one after the other (RFC 4051 §2.3.6), not the DER of X.509. */
const ecdsaAlgorithm = (name: string, hash: string) => {
  const dsaEncoding = "ieee-p1363";
  return class {
    getSignature = (text: string, key: string) =>
      sign(hash, Buffer.from(text), { key, dsaEncoding }).toString("base64");
    verifySignature = (text: string, key: string, signature: string) =>
      verify(hash, Buffer.from(text), { key, dsaEncoding }, Buffer.from(signature, "base64"));
    getAlgorithmName = () => name;
  };
};

/** Returns the package's signature with all accepted algorithms. */
export function xmlSignature(options: ConstructorParameters<typeof SignedXml>[0]): SignedXml {
  const signed = new SignedXml(options);
  for (const [name, hash] of Object.entries(ECDSA)) {
    Object.assign(signed.SignatureAlgorithms, { [name]: ecdsaAlgorithm(name, hash) });
  }
  return signed;
}

/** Content that is signed, as the text whose digest was compared and as its root element. */
export interface SignedContent {
  text: string;
  element: Element;
}

/**
 * Returns the signed content of an element that has its own signature.
 * @param text the whole document, in which every ID is unique
 * @param certificates in PEM
 * @throws if the signature is not acceptable, or not by one of the keys
 */
export function verifiedContent(text: string, element: Element, certificates: readonly string[]): SignedContent {
  const signatures = childrenOf(element, SAML.signature, "Signature");
  const [signature] = signatures;
  if (!signature || signatures.length > 1) throw new Error("an element has several signatures");
  checkAlgorithms(signature);
  const id = attributeOf(element, "ID");
  const references = elementsBelow(signature, "Reference");
  if (id === undefined || references.length !== 1 || attributeOf(references[0], "URI") !== `#${id}`) {
    throw new Error("the signature does not refer to the element that has it");
  }
  for (const publicCert of certificates) {
    const content = contentSignedBy(text, signature, publicCert);
    if (content !== undefined) return { text: content, element: parseXml(content).documentElement };
  }
  throw new Error("no key of the metadata made the signature");
}

function checkAlgorithms(signature: Element): void {
  const algorithms = (name: string) =>
    elementsBelow(signature, name).map((element) => attributeOf(element, "Algorithm") ?? "");
  checkUsed(algorithms("SignatureMethod"), SIGNATURES);
  checkUsed(algorithms("DigestMethod"), DIGESTS);
  const transforms = [...algorithms("Transform"), ...algorithms("CanonicalizationMethod")];
  if (!transforms.every((one) => one === ENVELOPED || one === EXCLUSIVE)) {
    throw new Error("the signature uses a transform that is not accepted");
  }
}

function checkUsed(used: readonly string[], accepted: readonly string[]): void {
  if (used.some((algorithm) => /sha1$/i.test(algorithm))) throw new Error("the signature uses SHA-1");
  if (!used.every((one) => accepted.includes(one))) {
    throw new Error("the signature uses an algorithm that is not accepted");
  }
}

/** Returns the canonical text whose digest was signed; undefined if the key did not make the signature. */
function contentSignedBy(text: string, signature: Element, publicCert: string): string | undefined {
  const signed = xmlSignature({ publicCert });
  signed.loadSignature(signature);
  try {
    if (!signed.checkSignature(text)) return undefined;
  } catch {
    return undefined; // the library throws for a wrong key
  }
  const contents = signed.getSignedReferences();
  return contents.length === 1 ? contents[0] : undefined;
}

/**
 * Checks the signature of a text, which is beside it (SAML 2.0 Bindings §3.4.4.1).
 * @throws if it is not acceptable, or not by one of the keys
 */
export function checkDetached(
  text: string,
  { algorithm, signature }: { algorithm: string; signature: string },
  certificates: readonly string[],
): void {
  checkUsed([algorithm], SIGNATURES);
  const Algorithm = xmlSignature({}).SignatureAlgorithms[algorithm as never];
  const isBy = (pem: string) => {
    try {
      return Algorithm !== undefined && new Algorithm().verifySignature(text, pem, signature);
    } catch {
      return false; // a key of another kind
    }
  };
  if (!certificates.some(isBy)) throw new Error("no key of the metadata made the signature");
}

/** Signs the root element of a message of ours, behind its issuer. */
export function signMessage(xml: string, privateKey: string): string {
  const signed = new SignedXml({
    privateKey,
    signatureAlgorithm: RSA_SHA256,
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  signed.addReference({ xpath: "/*", transforms: [ENVELOPED, EXCLUSIVE], digestAlgorithm: SHA256 });
  signed.computeSignature(xml, {
    prefix: "ds",
    location: { reference: "/*/*[local-name()='Issuer']", action: "after" },
  });
  return signed.getSignedXml();
}

export const QUERY_SIGNATURE = RSA_SHA256;
