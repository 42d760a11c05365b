/**
 * Reads XML of other services strictly. Attacks: document types (external entities, entity bombs), comments that split
 * a text for one reader and not for another, and documents that only lenient parsers accept.
 */
import { DOMParser } from "@xmldom/xmldom";

export const SAML = {
  protocol: "urn:oasis:names:tc:SAML:2.0:protocol",
  assertion: "urn:oasis:names:tc:SAML:2.0:assertion",
  metadata: "urn:oasis:names:tc:SAML:2.0:metadata",
  signature: "http://www.w3.org/2000/09/xmldsig#",
  redirect: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect",
  post: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST",
} as const;

const DECLARATION = /^\ufeff?<\?xml\s[^>]*\?>/;

/**
 * Parses a document.
 * @param mayHaveComments whether comments and processing instructions are accepted, as people write them in metadata
 * @throws if it is not well formed or has a part that is not accepted
 */
export function parseXml(text: string, { mayHaveComments = false } = {}): Document {
  const content = text.replace(DECLARATION, "");
  if (/<!(?:DOCTYPE|ENTITY)/i.test(content)) throw new Error("it has a document type");
  if (!mayHaveComments && /<!--|<\?/.test(content)) throw new Error("it has a comment or a processing instruction");
  const refuse = () => {
    throw new Error("it is not well-formed XML");
  };
  const document = new DOMParser({
    errorHandler: { warning: refuse, error: refuse, fatalError: refuse },
  }).parseFromString(content, "text/xml") as Document | undefined;
  return document?.documentElement ? document : refuse();
}

/** Returns the children of that name, in the order of the document. */
export function childrenOf(parent: Element, namespace: string, name: string): Element[] {
  const all = Array.from({ length: parent.childNodes.length }, (_, index) => parent.childNodes[index]);
  return all.filter((node): node is Element => isNamed(node, namespace, name));
}

/** Returns all elements below, or those of a local name in any namespace. */
export function elementsBelow(parent: Document | Element, name = "*"): Element[] {
  const found = parent.getElementsByTagNameNS("*", name);
  return Array.from({ length: found.length }, (_, index) => found[index] as Element);
}

export function isNamed(node: Node | null | undefined, namespace: string, name: string): node is Element {
  return node?.nodeType === 1 && (node as Element).namespaceURI === namespace && (node as Element).localName === name;
}

export const contentText = (element: Element | undefined): string => element?.textContent?.trim() ?? "";

/** Returns the value of an attribute; undefined if it is missing or empty. */
export const attributeOf = (element: Element | undefined, name: string): string | undefined =>
  element?.getAttribute(name) || undefined;

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for an attribute or the content of an element. */
export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
