/**
 * Subjects as mail programs read them (RFC 2047). Text that itself looks like an encoded word would be decoded by its
 * reader: a person named `=?utf-8?q?=E2=80=AE…?=` could turn round the line, or show a host name that names may not hold.
 */

/** The look of an encoded word, and words that no line of a header has room for (RFC 5322 §2.1.1). */
const AMBIGUOUS = /=\?|\S{200}/;
/** Bytes in base64, with `=?UTF-8?B?` and `?=` 75 characters at most (RFC 2047 §2). */
const MOST_BYTES = 45;

/** The subject, or what is read as that very text. Whatever else is not ASCII is encoded by the library. */
export function unambiguousSubject(subject: string): string {
  if (!AMBIGUOUS.test(subject)) return subject;
  const words: string[] = [];
  let word = "";
  for (const character of subject) {
    if (Buffer.byteLength(word + character) > MOST_BYTES) {
      words.push(word);
      word = "";
    }
    word += character;
  }
  words.push(word);
  return words.map((text) => `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`).join(" ");
}
