/**
 * The messages of single logout (SAML 2.0 Core §3.7, Profiles §4.4): requests and responses of ours, and the checks of
 * the provider's. A request ends sessions without the cookies of a browser, so it must be signed, sent to our address
 * for this provider, and recent.
 */
import { messageText, type ReceivedSaml, signedRoot } from "./bindings";
import { checkStructure, decryptedElement, SAML_SKEW, timeOf } from "./response";
import { attributeOf, childrenOf, contentText, escapeXml, isNamed, parseXml, SAML } from "./xml";

/** How the provider named the user and the session in its assertion. */
export interface SamlLogoutName {
  nameId: string;
  format?: string;
  nameQualifier?: string;
  spNameQualifier?: string;
  sessionIndex?: string;
}

interface OwnMessage {
  id: string;
  /** Epoch milliseconds. */
  issuedAt: number;
  destination: string;
  /** Our entity id. */
  entityId: string;
}

const opened = (name: string, { id, issuedAt, destination, entityId }: OwnMessage, more: string): string =>
  `<samlp:${name} xmlns:samlp="${SAML.protocol}" xmlns:saml="${SAML.assertion}" ID="${id}" Version="2.0"` +
  ` IssueInstant="${new Date(issuedAt).toISOString()}" Destination="${escapeXml(destination)}"${more}>` +
  `<saml:Issuer>${escapeXml(entityId)}</saml:Issuer>`;

const USUAL_LIFETIME = 5 * 60_000;

export function logoutRequestXml(message: OwnMessage, name: SamlLogoutName): string {
  const { nameId, format, nameQualifier, spNameQualifier, sessionIndex } = name;
  const qualifiers = Object.entries({ NameQualifier: nameQualifier, SPNameQualifier: spNameQualifier, Format: format });
  const attributes = qualifiers.flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXml(value)}"`],
  );
  const index = sessionIndex && `<samlp:SessionIndex>${escapeXml(sessionIndex)}</samlp:SessionIndex>`;
  const end = new Date(message.issuedAt + USUAL_LIFETIME).toISOString();
  return (
    opened("LogoutRequest", message, ` NotOnOrAfter="${end}" Reason="urn:oasis:names:tc:SAML:2.0:logout:user"`) +
    `<saml:NameID${attributes.join("")}>${escapeXml(nameId)}</saml:NameID>${index ?? ""}</samlp:LogoutRequest>`
  );
}

export const logoutResponseXml = (message: OwnMessage, inResponseTo: string): string =>
  `${opened("LogoutResponse", message, ` InResponseTo="${escapeXml(inResponseTo)}"`)}<samlp:Status><samlp:StatusCode` +
  ` Value="${SUCCESS}"/></samlp:Status></samlp:LogoutResponse>`;

const SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";

interface ExpectedLogout {
  /** Our address for single logout, which received the message. */
  sloUrl: string;
  provider: { entityId: string; certificates: readonly string[] };
  /** Our private keys in PEM, for an encrypted NameID. */
  decryptionKeys: readonly string[];
  /** Epoch milliseconds. */
  now: number;
}

export interface SamlLogoutRequest {
  id: string;
  nameId: string;
  /** The sessions at the provider; empty: all of the user's. */
  sessionIndexes: readonly string[];
  /** Epoch milliseconds after which it is refused anyway. */
  expiresAt: number;
}

/** The checks of a request in their order. */
export type SamlLogoutCheck = "message" | "issuer" | "destination" | "signature" | "time" | "subject";

/** How old a request may be, in milliseconds. */
const MAX_AGE = 10 * 60_000;
const MAX_INDEXES = 50;

/**
 * Verifies a request of a provider.
 * @param begin is called with the name of each check before it is made
 * @throws at the first check that fails
 */
export function verifyLogoutRequest(
  message: ReceivedSaml,
  expected: ExpectedLogout,
  begin: (check: SamlLogoutCheck) => void,
): SamlLogoutRequest {
  const root = verifiedRoot(message, "LogoutRequest", expected, begin);
  begin("time");
  const expiresAt = endOf(root, expected.now);
  begin("subject");
  const id = attributeOf(root, "ID") ?? "";
  const nameId = contentText(nameIn(root, expected.decryptionKeys));
  if (nameId === "") throw new Error("it has no NameID");
  const indexes = childrenOf(root, SAML.protocol, "SessionIndex").map(contentText).filter(Boolean);
  if (indexes.length > MAX_INDEXES) throw new Error("it names too many sessions");
  return { id, nameId, sessionIndexes: indexes, expiresAt };
}

/**
 * Verifies the response of a provider to a request of ours.
 * @throws if it is not one, or says that the user is still signed in
 */
export function verifyLogoutResponse(message: ReceivedSaml, expected: ExpectedLogout & { requestId: string }): void {
  const root = verifiedRoot(message, "LogoutResponse", expected, () => undefined);
  if (root.getAttribute("InResponseTo") !== expected.requestId) throw new Error("it answers another request");
  const [status] = childrenOf(root, SAML.protocol, "Status");
  const [code] = status ? childrenOf(status, SAML.protocol, "StatusCode") : [];
  if (attributeOf(code, "Value") !== SUCCESS) throw new Error("its status is not success");
}

function verifiedRoot(
  message: ReceivedSaml,
  name: "LogoutRequest" | "LogoutResponse",
  expected: ExpectedLogout,
  begin: (check: SamlLogoutCheck) => void,
): Element {
  begin("message");
  const text = messageText(message).replace(/\r\n?/g, "\n");
  const root = parseXml(text).documentElement;
  if (!isNamed(root, SAML.protocol, name)) throw new Error(`it is not a ${name}`);
  checkStructure(root);
  if (!attributeOf(root, "ID")) throw new Error("it has no ID");
  checkAddress(root, expected, begin);
  begin("signature");
  const signed = signedRoot(message, text, expected.provider.certificates);
  if (!isNamed(signed, SAML.protocol, name)) throw new Error(`it is not a ${name}`);
  checkAddress(signed, expected, () => undefined);
  return signed;
}

function checkAddress(root: Element, expected: ExpectedLogout, begin: (check: SamlLogoutCheck) => void): void {
  begin("issuer");
  const issuers = childrenOf(root, SAML.assertion, "Issuer");
  if (issuers.length !== 1 || contentText(issuers[0]) !== expected.provider.entityId) {
    throw new Error("another provider issued it");
  }
  begin("destination");
  // Signed messages must have it (Bindings §3.4.5.2, §3.5.5.2).
  if (attributeOf(root, "Destination") !== expected.sloUrl) throw new Error("it was sent to another address");
}

/** Checks the times of a request. @returns its end */
function endOf(root: Element, now: number): number {
  const issued = timeOf(attributeOf(root, "IssueInstant") ?? "");
  const end = attributeOf(root, "NotOnOrAfter");
  if (!(issued - SAML_SKEW <= now)) throw new Error("it is not valid yet, or has no time");
  const until = Math.min(issued + MAX_AGE, end === undefined ? Number.POSITIVE_INFINITY : timeOf(end)) + SAML_SKEW;
  if (!(now < until)) throw new Error("it has expired");
  return until;
}

/** Returns the NameID of a request, decrypted if it is encrypted for us. */
function nameIn(root: Element, keys: readonly string[]): Element | undefined {
  const encrypted = childrenOf(root, SAML.assertion, "EncryptedID");
  const names = childrenOf(root, SAML.assertion, "NameID");
  if (encrypted.length + names.length !== 1) throw new Error("it must have one NameID");
  const [first] = encrypted;
  return first ? decryptedElement(first, keys, "NameID").element : names[0];
}
