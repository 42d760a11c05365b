/**
 * The form of a signed token in compact serialization (RFC 7515 §7.1, §2): three parts of base64url without padding,
 * blanks or line breaks. Decoders skip what does not belong there, so that many texts would be the same token (attack:
 * another text of a used assertion, where it is remembered or logged by its text).
 */
const COMPACT_JWS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** Whether it has that form; says nothing about the signature. */
export function isCompactJws(text: string): boolean {
  return COMPACT_JWS.test(text);
}
