/**
 * Creates the header `WWW-Authenticate` of a 401: the accepted scheme and realm, and the error (RFC 9110 §11.6.1, RFC
 * 6749 §5.2, RFC 6750 §3; rule CLIENT-7). A description cannot end its quoted string.
 */

/** The error; undefined if no credentials were sent, in which case RFC 6750 §3.1 requires no error. */
interface Wrong {
  error: string;
  description: string;
}

/** @param algorithms those of DPoP proofs (RFC 9449 §7.1) */
export function challenge(
  scheme: "Basic" | "Bearer" | "DPoP",
  realm: string,
  wrong?: Wrong,
  algorithms?: readonly string[],
): Record<string, string> {
  const parameters = {
    realm,
    ...(wrong && { error: wrong.error, error_description: wrong.description }),
    ...(algorithms && { algs: algorithms.join(" ") }),
  };
  const quoted = Object.entries(parameters).map(([name, value]) => `${name}=${quotedString(value)}`);
  return { "www-authenticate": `${scheme} ${quoted.join(", ")}` };
}

/**
 * Quotes a text (RFC 9110 §5.6.4), with the characters that RFC 6749 allows for a description: printable ASCII without
 * `"` and `\`.
 */
function quotedString(text: string): string {
  const plain = text.replaceAll("…", "...").replaceAll('"', "'");
  return `"${plain.replace(/[^\x20-\x7e]|\\/g, "?")}"`;
}
