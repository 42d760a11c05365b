/**
 * SAML messages by way of the browser (SAML 2.0 Bindings): HTTP-Redirect (§3.4), where the signature is a parameter of
 * the query, and HTTP-POST (§3.5), where it is inside the message.
 */
import { sign } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { checkDetached, QUERY_SIGNATURE, signMessage, verifiedContent } from "./signature";
import { childrenOf, parseXml, SAML } from "./xml";

export interface SamlMessage {
  name: "SAMLRequest" | "SAMLResponse";
  xml: string;
  destination: string;
  relayState: string | undefined;
}

/** Returns the address for HTTP-Redirect. @param privateKey in PEM; undefined: not signed */
export function redirectMessage(
  { name, xml, destination, relayState }: SamlMessage,
  privateKey: string | undefined,
): URL {
  const query = new URLSearchParams({ [name]: deflateRawSync(xml).toString("base64") });
  if (relayState !== undefined) query.set("RelayState", relayState);
  if (privateKey !== undefined) {
    query.set("SigAlg", QUERY_SIGNATURE);
    query.set("Signature", sign("sha256", Buffer.from(query.toString()), privateKey).toString("base64"));
  }
  const url = new URL(destination);
  url.search = [url.search.slice(1), query.toString()].filter(Boolean).join("&");
  return url;
}

/** Returns the fields of the form for HTTP-POST. @param privateKey in PEM; undefined: not signed */
export function postMessage(
  { name, xml, relayState }: SamlMessage,
  privateKey: string | undefined,
): Record<string, string> {
  const message = privateKey === undefined ? xml : signMessage(xml, privateKey);
  const fields = { [name]: Buffer.from(message).toString("base64") };
  return relayState === undefined ? fields : { ...fields, RelayState: relayState };
}

/** A message as it arrived. Nothing in it is to be believed. */
export interface ReceivedSaml {
  isResponse: boolean;
  binding: "redirect" | "post";
  /** The query as it was sent, or the form. */
  parameters: string;
}

/** Returns the message in a query or a form; undefined if it has no message. */
export function receivedMessage(binding: "redirect" | "post", parameters: string): ReceivedSaml | undefined {
  const isResponse = rawValues(parameters, "SAMLResponse").length > 0;
  if (!isResponse && rawValues(parameters, "SAMLRequest").length === 0) return undefined;
  return { isResponse, binding, parameters };
}

/** Returns the RelayState of a message; undefined if it is missing or repeated. */
export const relayStateOf = ({ parameters }: ReceivedSaml): string | undefined => {
  const [value, ...more] = new URLSearchParams(parameters).getAll("RelayState");
  return more.length > 0 ? undefined : value;
};

/** Characters of a message; inflated, a short query can be long (attack: decompression bomb). */
const MAX_MESSAGE = 64 * 1024;

/** Returns the XML of a message. @throws if it is not one */
export function messageText({ binding, parameters, isResponse }: ReceivedSaml): string {
  const form = new URLSearchParams(parameters);
  for (const name of ["SAMLRequest", "SAMLResponse", "RelayState", "SigAlg", "Signature", "SAMLEncoding"]) {
    if (form.getAll(name).length > 1) throw new Error("a parameter is repeated");
  }
  if (form.has("SAMLRequest") && form.has("SAMLResponse")) throw new Error("it is both a request and a response");
  const bytes = Buffer.from(base64(form.get(isResponse ? "SAMLResponse" : "SAMLRequest") ?? ""), "base64");
  return new TextDecoder("utf-8", { fatal: true }).decode(binding === "redirect" ? inflated(bytes) : bytes);
}

/** Returns what is base64. @throws if it is not */
export function base64(text: string): string {
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text)) throw new Error("it is not base64");
  return text;
}

function inflated(bytes: Buffer): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_MESSAGE });
  } catch {
    throw new Error("it is not deflated, or too long");
  }
}

/**
 * Returns the root of a message as a key of the provider signed it.
 * @param text the message, in which every ID is unique
 * @throws if it is not signed, or not by one of the keys
 */
export function signedRoot(message: ReceivedSaml, text: string, certificates: readonly string[]): Element {
  const { documentElement: root } = parseXml(text);
  if (message.binding === "post") {
    if (childrenOf(root, SAML.signature, "Signature").length === 0) throw new Error("it is not signed");
    return verifiedContent(text, root, certificates).element;
  }
  // The signature covers the parameters as they were encoded, in this order (Bindings §3.4.4.1).
  const raw = (name: string) => rawValues(message.parameters, name)[0];
  const name = message.isResponse ? "SAMLResponse" : "SAMLRequest";
  const covered = [name, "RelayState", "SigAlg"].flatMap((one) => {
    const value = raw(one);
    return value === undefined ? [] : [`${one}=${value}`];
  });
  const form = new URLSearchParams(message.parameters);
  const [algorithm, signature] = [form.get("SigAlg"), form.get("Signature")];
  if (!algorithm || !signature) throw new Error("it is not signed");
  checkDetached(covered.join("&"), { algorithm, signature }, certificates);
  return root;
}

/** Returns the values of a parameter as they were encoded. */
const rawValues = (parameters: string, name: string): string[] =>
  parameters.split("&").flatMap((one) => (one.startsWith(`${name}=`) ? [one.slice(name.length + 1)] : []));
