/** The If-Match header of a text: the sequences that a writer has seen, or `*` (RFC 9110 §13.1.1). */
import { type ApiError, invalidArgument } from "../protocol/api-error";

/** Parses the header. @param mayBeAny whether `*` is accepted */
export function parseIfMatch(ifMatch: string, mayBeAny: boolean): string[] | ApiError {
  const named = ifMatch.split(",").map((tag) => tag.trim().replace(/^"(.*)"$/, "$1"));
  if (named.every((tag) => /^\d{1,19}$/.test(tag) || (mayBeAny && tag === "*"))) return named;
  const message = `Send the sequence of the details in If-Match${mayBeAny ? ", or *" : ""}.`;
  return invalidArgument("request.if_match", message, { field: "If-Match" });
}
