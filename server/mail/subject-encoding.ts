/**
 * Encodes subjects (RFC 2047). Text that looks like an encoded word would be decoded by mail programs: with the name
 * `=?utf-8?q?=E2=80=AE…?=` a user could reverse the direction of the line, or show a host name, which names must not
 * contain.
 */

/** Matches text that looks like an encoded word, and words too long for a header line (RFC 5322 §2.1.1). */
const AMBIGUOUS = /=\?|\S{200}/;
/**
 * The bytes of one encoded word: in base64 and with `=?UTF-8?B?` and `?=` it has at most 75 characters (RFC 2047 §2).
 */
const MAX_WORD_BYTES = 45;

/**
 * Returns the subject, encoded only if it would otherwise be misread. The mail library encodes other text that is not
 * ASCII.
 */
export function unambiguousSubject(subject: string): string {
  if (!AMBIGUOUS.test(subject)) return subject;
  const words: string[] = [];
  let word = "";
  for (const character of subject) {
    if (Buffer.byteLength(word + character) > MAX_WORD_BYTES) {
      words.push(word);
      word = "";
    }
    word += character;
  }
  words.push(word);
  return words.map((text) => `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`).join(" ");
}
