/**
 * Request parameters of every OAuth endpoint: a query string or an application/x-www-form-urlencoded body (RFC 6749
 * §3.1, §3.2, Appendix B), decoded once and strictly. Bad percent-encoding, invalid UTF-8, NUL and repeated parameters
 * are rejected: two parsers that interpret a request differently allow validation to be bypassed.
 */
import { invalidRequest, type OAuthError } from "./oauth-error";

export interface Parameters {
  /** Returns the first value; undefined if absent or empty: "sent without a value … as if omitted" (RFC 6749 §3.1). */
  get(name: string): string | undefined;
  has(name: string): boolean;
  /** Returns every non-empty value in the order sent. */
  all(name: string): readonly string[];
  /**
   * Returns the first of `names` that has several values; without names, the first parameter that must not be repeated.
   */
  repeated(...names: string[]): string | undefined;
  names(): string[];
}

/** The error for parameters that are too large or not properly encoded. */
export interface UnreadableParameters extends OAuthError {
  /**
   * The parameters whose values are all properly encoded; undefined if there are too many or too long ones. Use them
   * only to decide where the error goes: to the application, unless client_id or redirect_uri is wrong (RFC 6749
   * §4.1.2.1).
   */
  readonly readable?: Parameters;
}

/** The maximum length of the encoded form in characters; the HTTP layer rejects larger bodies before. */
export const MAX_PARAMETERS_LENGTH = 32 * 1024;
const MAX_PARAMETERS = 100;

/** Parameters that may be repeated (RFC 8707 §2, RFC 8693 §2.1). */
const repeatable = new Set(["resource", "audience"]);

/**
 * Parses parameters.
 * @param encoded the raw query without its question mark, or the raw body
 */
export function parseParameters(encoded: string): Parameters | UnreadableParameters {
  if (encoded.length > MAX_PARAMETERS_LENGTH)
    return invalidRequest(`the parameters are longer than ${MAX_PARAMETERS_LENGTH} characters`);
  const pairs: [string, string][] = [];
  const unreadable = new Set<string | undefined>();
  let count = 0;
  for (const pair of encoded.split("&")) {
    if (pair === "") continue;
    if (count++ === MAX_PARAMETERS) return invalidRequest(`there are more than ${MAX_PARAMETERS} parameters`);
    const equals = pair.indexOf("=");
    const name = decodeFormComponent(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? "" : decodeFormComponent(pair.slice(equals + 1));
    if (name === undefined || value === undefined) unreadable.add(name);
    else pairs.push([name, value]);
  }
  if (unreadable.size === 0) return parametersFrom(pairs);
  const readable = parametersFrom(pairs.filter(([name]) => !unreadable.has(name)));
  return { ...invalidRequest("the parameters are not properly encoded"), readable };
}

/** Returns parameters of already decoded pairs. */
export function parametersFrom(pairs: Iterable<readonly [name: string, value: string]>): Parameters {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    if (value === "") continue; // RFC 6749 §3.1
    const earlier = values.get(name);
    if (earlier) earlier.push(value);
    else values.set(name, [value]);
  }
  const isRepeated = (name: string) => (values.get(name)?.length ?? 0) > 1;
  return {
    get: (name) => values.get(name)?.[0],
    has: (name) => values.has(name),
    all: (name) => values.get(name) ?? [],
    names: () => [...values.keys()],
    repeated: (...names) =>
      names.length > 0 ? names.find(isRepeated) : [...values.keys()].find((n) => !repeatable.has(n) && isRepeated(n)),
  };
}

/** Rejects repeated parameters, as required by RFC 6749 §3.1 and §3.2. Choice: unknown ones too. */
export function checkRepeated(parameters: Parameters): OAuthError | undefined {
  const name = parameters.repeated();
  if (name === undefined) return undefined;
  return invalidRequest(`${/^[a-z_]{1,40}$/.test(name) ? name : "a parameter"} is repeated`);
}

/** Decodes a name or value of application/x-www-form-urlencoded; undefined if it is not valid UTF-8 or contains NUL. */
export function decodeFormComponent(encoded: string): string | undefined {
  // A lenient decoder before us leaves U+FFFD where the bytes were not UTF-8; an intended one is percent-encoded.
  if (/[\uD800-\uDFFF\uFFFD]/u.test(encoded)) return undefined;
  try {
    const decoded = /[%+]/.test(encoded) ? decodeURIComponent(encoded.replaceAll("+", " ")) : encoded;
    return decoded.includes("\0") ? undefined : decoded;
  } catch {
    return undefined; // URIError: a percent sign without two digits, or bytes that are not UTF-8
  }
}
