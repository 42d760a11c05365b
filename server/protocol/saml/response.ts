/**
 * Verifies the response of a SAML identity provider (SAML 2.0 Profiles §4.1.4, Web Browser SSO). One assertion is
 * accepted, covered by a signature of its own or by that of the response, possibly encrypted for us, that answers our
 * request, is meant for us and is valid now. Responses without a request of ours are not accepted.
 */
import { decrypt } from "xml-encryption";
import { type SignedContent, verifiedContent } from "./signature";
import { attributeOf, childrenOf, contentText, elementsBelow, isNamed, parseXml, SAML } from "./xml";

export interface ExpectedResponse {
  /** Our entity id, the audience. */
  audience: string;
  /** The address that received the response. */
  acsUrl: string;
  /** The ID of our request. */
  requestId: string;
  provider: { entityId: string; certificates: readonly string[] };
  /** Our private keys in PEM, for encrypted assertions. */
  decryptionKeys: readonly string[];
  /** Epoch milliseconds since which the user must have signed in at the provider; undefined: any session will do. */
  authenticatedSince?: number;
  /** Epoch milliseconds. */
  now: number;
}

export interface SamlAssertion {
  id: string;
  nameId: string;
  nameIdFormat: string;
  nameQualifier?: string;
  spNameQualifier?: string;
  /** The session at the provider; undefined if it has no name. */
  sessionIndex?: string;
  /** The values of each attribute by its name. */
  attributes: Readonly<Record<string, readonly string[]>>;
  /** The methods by which the user was authenticated there. */
  contexts: readonly string[];
  /** Epoch milliseconds after which it is refused anyway. */
  expiresAt: number;
}

/** The provider refused, with the last part of its status code. */
export class SamlStatusRefused extends Error {}

/** The checks in their order. */
export const SAML_CHECKS = [
  "response",
  "status",
  "issuer",
  "in_response_to",
  "destination",
  "response_signature",
  "decryption",
  "assertion_signature",
  "subject",
  "recipient",
  "audience",
  "time",
  "age",
] as const;
type SamlCheck = (typeof SAML_CHECKS)[number];

/** How much clocks may differ, in milliseconds. */
export const SAML_SKEW = 60_000;
const MAX_ATTRIBUTES = 500;
const BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
const SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";
const UNSPECIFIED = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified";

/**
 * Verifies a response and returns its assertion.
 * @param text the decoded XML
 * @param begin is called with the name of each check before it is made
 * @throws at the first check that fails
 */
export function verifySamlResponse(
  text: string,
  expected: ExpectedResponse,
  begin: (check: SamlCheck) => void,
): SamlAssertion {
  begin("response");
  const normalized = text.replace(/\r\n?/g, "\n");
  const root = parseXml(normalized).documentElement;
  if (!isNamed(root, SAML.protocol, "Response")) throw new Error("it is not a SAML response");
  checkStructure(root);
  begin("status");
  checkStatus(root);
  if (assertionsIn(root).length === 0) throw new Error("it has no assertion");
  begin("issuer");
  checkIssuer(root, expected, false);
  begin("in_response_to");
  if (root.getAttribute("InResponseTo") !== expected.requestId) throw new Error("it answers another request, or none");
  begin("destination");
  const isSigned = childrenOf(root, SAML.signature, "Signature").length > 0;
  const destination = attributeOf(root, "Destination");
  if (destination === undefined ? isSigned : destination !== expected.acsUrl) {
    throw new Error("it was sent to another address");
  }
  if (isSigned) begin("response_signature");
  const signed = isSigned ? verifiedContent(normalized, root, expected.provider.certificates) : undefined;
  const assertion = signedAssertion(signed ?? { text: normalized, element: root }, isSigned, expected, begin);
  return checkedAssertion(assertion, expected, begin);
}

const assertionsIn = (root: Element): Element[] =>
  ["Assertion", "EncryptedAssertion"].flatMap((name) => elementsBelow(root, name));

/** Refuses what only attacks have: an ID twice, several assertions, or a signature or an assertion in an odd place. */
export function checkStructure(root: Element): void {
  if (assertionsIn(root).length > 1) throw new Error("it has several assertions");
  const ids = new Set<string>();
  for (const element of [root, ...elementsBelow(root)]) {
    for (const name of ["ID", "Id", "id"]) {
      const id = attributeOf(element, name);
      if (id !== undefined && ids.has(id)) throw new Error("an ID occurs twice");
      if (id !== undefined) ids.add(id);
    }
    const { parentNode } = element;
    const isOwn = parentNode === root || (isNamed(parentNode, SAML.assertion, "Assertion") && isTop(parentNode));
    if (element.localName === "Signature" && !isOwn) throw new Error("a signature is in an unusual place");
    const isAssertion = element.localName === "Assertion" || element.localName === "EncryptedAssertion";
    if (isAssertion && (parentNode !== root || element.namespaceURI !== SAML.assertion)) {
      if (element !== root) throw new Error("an assertion is in an unusual place");
    }
  }
}

/** Whether an element is the root or its child. */
const isTop = (element: Element): boolean => {
  const root = element.ownerDocument.documentElement;
  return element === root || element.parentNode === root;
};

function checkStatus(root: Element): void {
  const codes = elementsBelow(root, "StatusCode").filter((code) => code.namespaceURI === SAML.protocol);
  const [outer] = codes;
  if (attributeOf(outer, "Value") === SUCCESS) return;
  const named = attributeOf(codes.at(-1), "Value")?.split(":").at(-1);
  throw new SamlStatusRefused(/^[A-Za-z]{1,60}$/.test(named ?? "") ? named : "unknown");
}

function checkIssuer(element: Element, { provider }: ExpectedResponse, isRequired: boolean): void {
  const issuers = childrenOf(element, SAML.assertion, "Issuer");
  if (issuers.length === 0 && !isRequired) return;
  if (issuers.length !== 1 || contentText(issuers[0]) !== provider.entityId) {
    throw new Error("another provider issued it");
  }
}

/** Returns the assertion of a response, as a key of the provider signed it. */
function signedAssertion(
  response: SignedContent,
  isSigned: boolean,
  { provider, decryptionKeys }: ExpectedResponse,
  begin: (check: SamlCheck) => void,
): Element {
  const [encrypted] = childrenOf(response.element, SAML.assertion, "EncryptedAssertion");
  if (encrypted) begin("decryption");
  const content = encrypted ? decryptedElement(encrypted, decryptionKeys, "Assertion") : response;
  begin("assertion_signature");
  const assertion = encrypted ? content.element : childrenOf(content.element, SAML.assertion, "Assertion")[0];
  if (!assertion) throw new Error("it is not in the signed part");
  if (childrenOf(assertion, SAML.signature, "Signature").length > 0) {
    return verifiedContent(content.text, assertion, provider.certificates).element;
  }
  if (!isSigned) throw new Error("neither the assertion nor the response is signed");
  return assertion;
}

/** Decrypts an assertion, or an element of one, for one of our keys. */
export function decryptedElement(
  encrypted: Element,
  keys: readonly string[],
  name: "Assertion" | "NameID",
): SignedContent {
  for (const key of keys) {
    let plain: string | undefined;
    // RSA of PKCS #1 v1.5 reveals the key to those who ask often enough, and triple DES is too short.
    const options = { key, disallowDecryptionWithInsecureAlgorithm: true };
    decrypt(withKnownNames(encrypted), options, (error, result) => {
      plain = error ? undefined : result.replace(/\r\n?/g, "\n");
    });
    if (plain === undefined) continue;
    const root = parseXml(plain).documentElement;
    if (!isNamed(root, SAML.assertion, name)) throw new Error(`it does not contain an ${name}`);
    checkStructure(root);
    return { text: plain, element: root };
  }
  throw new Error("it is not encrypted for one of our keys, or by an algorithm that is not accepted");
}

const OAEP = "http://www.w3.org/2009/xmlenc11#rsa-oaep";
const OAEP_OF_LIBRARY = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p";

/**
 * Returns the text of an encrypted element in which RSA-OAEP of XML Encryption 1.1 §5.5.2, the default of Keycloak, has
 * the names that the library knows. It uses one hash for digest and mask; other pairs keep their name and are refused.
 */
function withKnownNames(encrypted: Element): string {
  const copy = encrypted.cloneNode(true) as Element;
  for (const method of elementsBelow(copy, "EncryptionMethod")) {
    if (attributeOf(method, "Algorithm") !== OAEP) continue;
    const [digest] = elementsBelow(method, "DigestMethod");
    const hash = (attributeOf(digest, "Algorithm") ?? "#sha1").replace(/^.*#/, "");
    const [mask] = elementsBelow(method, "MGF");
    const ofMask = (attributeOf(mask, "Algorithm") ?? "#mgf1sha1").replace(/^.*#mgf1/, "");
    if (hash !== ofMask || !["sha1", "sha256", "sha512"].includes(hash)) continue;
    method.setAttribute("Algorithm", OAEP_OF_LIBRARY);
    digest?.setAttribute("Algorithm", `http://www.w3.org/2000/09/xmldsig#${hash}`);
  }
  return copy.toString();
}

function checkedAssertion(
  assertion: Element,
  expected: ExpectedResponse,
  begin: (check: SamlCheck) => void,
): SamlAssertion {
  begin("subject");
  checkIssuer(assertion, expected, true);
  const id = attributeOf(assertion, "ID");
  const [subject, ...more] = childrenOf(assertion, SAML.assertion, "Subject");
  const names = subject ? childrenOf(subject, SAML.assertion, "NameID") : [];
  const nameId = contentText(names[0]);
  if (!id || !subject || more.length > 0 || names.length !== 1 || nameId === "") throw new Error("it has no NameID");
  if (childrenOf(assertion, SAML.assertion, "AuthnStatement").length === 0) throw new Error("it is about no sign-in");
  begin("recipient");
  const confirmation = confirmationIn(subject, expected);
  begin("audience");
  const [conditions, ...others] = childrenOf(assertion, SAML.assertion, "Conditions");
  if (!conditions || others.length > 0) throw new Error("it must have conditions once");
  const restrictions = childrenOf(conditions, SAML.assertion, "AudienceRestriction");
  const isForUs = restrictions.every((one) =>
    childrenOf(one, SAML.assertion, "Audience").some((audience) => contentText(audience) === expected.audience),
  );
  if (restrictions.length === 0 || !isForUs) throw new Error("it is meant for another service");
  begin("time");
  const sessions = childrenOf(assertion, SAML.assertion, "AuthnStatement");
  const ends = [
    checkTime(conditions, "NotBefore", "NotOnOrAfter", expected.now),
    checkTime(confirmation, "NotBefore", "NotOnOrAfter", expected.now),
    ...sessions.map((one) => checkTime(one, undefined, "SessionNotOnOrAfter", expected.now)),
  ];
  if (expected.authenticatedSince !== undefined) {
    begin("age");
    const latest = Math.max(...sessions.map((one) => timeOf(attributeOf(one, "AuthnInstant") ?? "")));
    if (!(latest + SAML_SKEW >= expected.authenticatedSince)) throw new Error("the user signed in there too long ago");
  }
  return {
    id,
    nameId,
    nameIdFormat: attributeOf(names[0], "Format") ?? UNSPECIFIED,
    nameQualifier: attributeOf(names[0], "NameQualifier"),
    spNameQualifier: attributeOf(names[0], "SPNameQualifier"),
    sessionIndex: sessions.map((one) => attributeOf(one, "SessionIndex")).find(Boolean),
    attributes: attributesOf(assertion),
    contexts: elementsBelow(assertion, "AuthnContextClassRef").map(contentText),
    expiresAt: Math.min(...ends) + SAML_SKEW,
  };
}

/** Returns the data of the confirmation for us: a bearer, at our address, in answer to our request. */
function confirmationIn(subject: Element, { acsUrl, requestId }: ExpectedResponse): Element {
  const bearers = childrenOf(subject, SAML.assertion, "SubjectConfirmation")
    .filter((one) => one.getAttribute("Method") === BEARER)
    .flatMap((one) => childrenOf(one, SAML.assertion, "SubjectConfirmationData"));
  const ours = bearers.filter((data) => data.getAttribute("Recipient") === acsUrl);
  const found = ours.find((data) => data.getAttribute("InResponseTo") === requestId);
  if (ours.length === 0) throw new Error("it is meant for another address");
  if (!found) throw new Error("it answers another request, or none");
  if (!found.getAttribute("NotOnOrAfter")) throw new Error("it has no end");
  return found;
}

/** Checks the times of an element. @returns its end, or infinity */
function checkTime(element: Element, from: string | undefined, until: string, now: number): number {
  const [begin, end] = [from, until].map((name) => (name === undefined ? undefined : attributeOf(element, name)));
  if (begin !== undefined && !(timeOf(begin) - SAML_SKEW <= now)) throw new Error("it is not valid yet");
  if (end === undefined) return Number.POSITIVE_INFINITY;
  if (!(now < timeOf(end) + SAML_SKEW)) throw new Error("it has expired");
  return timeOf(end);
}

/** Times are in UTC (Core §1.3.3); anything else is not a number, and so never valid. */
export const timeOf = (text: string): number =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) ? Date.parse(text) : Number.NaN;

function attributesOf(assertion: Element): Record<string, string[]> {
  const statements = childrenOf(assertion, SAML.assertion, "AttributeStatement");
  const all = statements.flatMap((one) => childrenOf(one, SAML.assertion, "Attribute")).slice(0, MAX_ATTRIBUTES);
  const found = new Map<string, string[]>();
  for (const attribute of all) {
    const name = attributeOf(attribute, "Name") ?? "";
    const values = childrenOf(attribute, SAML.assertion, "AttributeValue").map(contentText).filter(Boolean);
    found.set(name, [...(found.get(name) ?? []), ...values]);
  }
  return Object.fromEntries(found);
}
