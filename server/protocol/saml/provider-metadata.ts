/**
 * The metadata of a SAML identity provider (SAML 2.0 Metadata §2.4.3): who it is, where its users sign in, and the
 * certificates whose keys sign its assertions. A certificate only carries its key: as usual, neither its chain nor its
 * end is checked, but its end is shown.
 */
import { X509Certificate } from "node:crypto";
import { type Reason, reason, sentenceOf } from "../reason";
import { attributeOf, childrenOf, contentText, elementsBelow, isNamed, parseXml, SAML } from "./xml";

export interface SamlProvider {
  entityId: string;
  /** Addresses for requests, by binding; at least one. */
  redirectUrl?: string;
  postUrl?: string;
  /** Addresses for sign-outs, by binding; those that browsers cannot be sent to are left out. */
  logout: { redirect?: SamlLogoutAddress; post?: SamlLogoutAddress };
  /** In PEM; at least one. */
  certificates: string[];
  wantsSignedRequests: boolean;
}

interface SamlLogoutAddress {
  requests: string;
  responses: string;
}

/** Characters; the metadata of Microsoft Entra ID has some 80,000. */
export const MAX_METADATA = 128 * 1024;
/** A provider has two while it changes its key. */
const MAX_CERTIFICATES = 10;
const MIN_RSA_BITS = 2048;
const CURVES = ["prime256v1", "secp384r1", "secp521r1"];

/** Why metadata is refused. */
export class MetadataRefused extends Error {
  readonly reason: Reason;
  constructor(why: Reason) {
    super(`the metadata ${sentenceOf(why)}`);
    this.reason = why;
  }
}

/** Parses metadata. @throws MetadataRefused */
export function readProviderMetadata(text: string): SamlProvider {
  const entity = providerIn(documentIn(text));
  const entityId = attributeOf(entity, "entityID");
  const [description] = childrenOf(entity, SAML.metadata, "IDPSSODescriptor");
  if (entityId === undefined || entityId.length > 1024 || !description) refuse(reason("saml_provider"));
  const addresses = childrenOf(description, SAML.metadata, "SingleSignOnService");
  const addressOf = (binding: string) => {
    const service = addresses.find((one) => one.getAttribute("Binding") === binding);
    return attributeOf(service, "Location");
  };
  const [redirectUrl, postUrl] = [addressOf(SAML.redirect), addressOf(SAML.post)];
  const urls = [redirectUrl, postUrl].filter((url) => url !== undefined);
  if (urls.length === 0 || !urls.every(isWebAddress)) refuse(reason("saml_address"));
  const wantsSignedRequests = ["true", "1"].includes(description.getAttribute("WantAuthnRequestsSigned") ?? "");
  const logout = { redirect: logoutIn(description, SAML.redirect), post: logoutIn(description, SAML.post) };
  return { entityId, redirectUrl, postUrl, logout, certificates: certificatesIn(description), wantsSignedRequests };
}

/** Users sign in without it, so that an address that is not usable refuses nothing. */
function logoutIn(description: Element, binding: string): SamlLogoutAddress | undefined {
  const services = childrenOf(description, SAML.metadata, "SingleLogoutService");
  const service = services.find((one) => one.getAttribute("Binding") === binding);
  const requests = attributeOf(service, "Location") ?? "";
  const responses = attributeOf(service, "ResponseLocation") ?? requests;
  return isWebAddress(requests) && isWebAddress(responses) ? { requests, responses } : undefined;
}

function refuse(why: Reason): never {
  throw new MetadataRefused(why);
}

function documentIn(text: string): Document {
  try {
    return parseXml(text, { mayHaveComments: true });
  } catch {
    return refuse(reason("saml_xml"));
  }
}

/** The one identity provider of a document, which may be inside an EntitiesDescriptor. */
function providerIn(document: Document): Element {
  const root = document.documentElement;
  if (isNamed(root, SAML.metadata, "EntityDescriptor")) return root;
  const all = childrenOf(root, SAML.metadata, "EntityDescriptor");
  const providers = all.filter((one) => childrenOf(one, SAML.metadata, "IDPSSODescriptor").length > 0);
  const [only] = providers;
  return only && providers.length === 1 ? only : refuse(reason("saml_provider"));
}

/** Whether browsers may be sent there; the service itself never calls it. */
function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username } = new URL(text);
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  return username === "" && (protocol === "https:" || (protocol === "http:" && isLocal));
}

function certificatesIn(description: Element): string[] {
  const keys = childrenOf(description, SAML.metadata, "KeyDescriptor");
  const signing = keys.filter((key) => ["", "signing"].includes(key.getAttribute("use") ?? ""));
  const found = signing.flatMap((key) => elementsBelow(key, "X509Certificate").map(contentText));
  const certificates = [...new Set(found)].map(toPem);
  const fit = certificates.filter((pem) => pem !== undefined);
  if (fit.length < certificates.length || fit.length === 0 || fit.length > MAX_CERTIFICATES) {
    refuse(reason("saml_signing_key", { n: MAX_CERTIFICATES, bits: MIN_RSA_BITS }));
  }
  return fit;
}

/** Returns a certificate in PEM; undefined if it cannot be read or its key is too weak. */
function toPem(content: string): string | undefined {
  try {
    const certificate = new X509Certificate(Buffer.from(content.replace(/\s/g, ""), "base64"));
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    const { modulusLength = 0, namedCurve = "" } = asymmetricKeyDetails ?? {};
    const isFit =
      asymmetricKeyType === "ec"
        ? CURVES.includes(namedCurve)
        : asymmetricKeyType === "rsa" && modulusLength >= MIN_RSA_BITS;
    return isFit ? certificate.toString() : undefined;
  } catch {
    return undefined;
  }
}

/** When a certificate in PEM ends, in epoch milliseconds. */
export const certificateEnd = (pem: string): number => Date.parse(new X509Certificate(pem).validTo);
