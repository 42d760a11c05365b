/**
 * What this service says as SAML service provider: its metadata (SAML 2.0 Metadata §2.4.4), and requests to sign a user
 * in (Core §3.4.1).
 */
import { escapeXml, SAML } from "./xml";

export interface SamlService {
  entityId: string;
  acsUrl: string;
  /** For single logout, by both bindings. */
  sloUrl: string;
}

export interface AuthnRequest extends SamlService {
  id: string;
  /** Epoch milliseconds. */
  issuedAt: number;
  destination: string;
  /** Undefined: any. */
  nameIdFormat: string | undefined;
  /** Whether users must sign in there although they have a session. */
  mustSignIn: boolean;
}

const TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";

/** The formats of ZITADEL's API by their names in the protocol; undefined: not requested. */
export const NAME_ID_FORMATS = {
  SAML_NAME_ID_FORMAT_UNSPECIFIED: undefined,
  SAML_NAME_ID_FORMAT_EMAIL_ADDRESS: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
  SAML_NAME_ID_FORMAT_PERSISTENT: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
  SAML_NAME_ID_FORMAT_TRANSIENT: TRANSIENT,
} as const;

export const isTransient = (format: string): boolean => format === TRANSIENT;

/** Returns our metadata. @param certificates in PEM; each may sign, and the first is the one to encrypt for */
export function serviceMetadata(
  { entityId, acsUrl, sloUrl }: SamlService,
  certificates: readonly string[],
  { signsRequests, nameIdFormat }: { signsRequests: boolean; nameIdFormat: string | undefined },
): string {
  const key = (use: "signing" | "encryption", pem: string) =>
    `<md:KeyDescriptor use="${use}"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${contentOf(pem)}` +
    "</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>";
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<md:EntityDescriptor xmlns:md="${SAML.metadata}" xmlns:ds="${SAML.signature}" entityID="${escapeXml(entityId)}">`,
    `<md:SPSSODescriptor AuthnRequestsSigned="${signsRequests}" WantAssertionsSigned="true"` +
      ` protocolSupportEnumeration="${SAML.protocol}">`,
    ...certificates.map((pem) => key("signing", pem)),
    ...certificates.slice(0, 1).map((pem) => key("encryption", pem)),
    ...[SAML.redirect, SAML.post].map(
      (binding) => `<md:SingleLogoutService Binding="${binding}" Location="${escapeXml(sloUrl)}"/>`,
    ),
    ...(nameIdFormat === undefined ? [] : [`<md:NameIDFormat>${nameIdFormat}</md:NameIDFormat>`]),
    `<md:AssertionConsumerService Binding="${SAML.post}" Location="${escapeXml(acsUrl)}" index="0" isDefault="true"/>`,
    "</md:SPSSODescriptor>",
    "</md:EntityDescriptor>",
    "",
  ].join("\n");
}

const contentOf = (pem: string): string => pem.replace(/-----[A-Z ]+-----|\s/g, "");

export function authnRequestXml(request: AuthnRequest): string {
  const { entityId, acsUrl, id, issuedAt, destination, nameIdFormat, mustSignIn } = request;
  const policy = [
    nameIdFormat === undefined ? "" : ` Format="${nameIdFormat}"`,
    nameIdFormat === TRANSIENT ? "" : ' AllowCreate="true"',
  ].join("");
  return (
    `<samlp:AuthnRequest xmlns:samlp="${SAML.protocol}" xmlns:saml="${SAML.assertion}" ID="${id}" Version="2.0"` +
    ` IssueInstant="${new Date(issuedAt).toISOString()}" Destination="${escapeXml(destination)}"` +
    ` AssertionConsumerServiceURL="${escapeXml(acsUrl)}" ProtocolBinding="${SAML.post}"` +
    `${mustSignIn ? ' ForceAuthn="true"' : ""}><saml:Issuer>${escapeXml(entityId)}</saml:Issuer>` +
    `<samlp:NameIDPolicy${policy}/></samlp:AuthnRequest>`
  );
}
