/**
 * The compact serialization of a signed token (RFC 7515 §7.1, §2): three parts of base64url without padding, spaces or
 * line breaks. Decoders skip other characters, so that many texts would be the same token (attack: another spelling of
 * a used assertion, where it is remembered or logged by its text).
 */
const COMPACT_JWS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** Whether the text has that form; the signature is not checked. */
export function isCompactJws(text: string): boolean {
  return COMPACT_JWS.test(text);
}
