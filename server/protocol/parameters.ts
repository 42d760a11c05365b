/**
 * Request parameters of every OAuth endpoint: a query string or an application/x-www-form-urlencoded body
 * (RFC 6749 §3.1, §3.2, Appendix B), decoded once and strictly. Bad percent-encoding, invalid UTF-8 and NUL are refused,
 * and so are repeated parameters: two parsers that read one request differently is how validation is bypassed.
 */
import { invalidRequest, type OAuthError } from "./oauth-error";

export interface Parameters {
  /** The first value; undefined when absent or empty: "sent without a value … as if omitted" (RFC 6749 §3.1). */
  get(name: string): string | undefined;
  has(name: string): boolean;
  /** Every non-empty value in the order sent. */
  all(name: string): readonly string[];
  /** The first of `names` that was sent with a value more than once; without names, the first of all but the repeatable ones. */
  repeated(...names: string[]): string | undefined;
  names(): string[];
}

/** The refusal of parameters that are too large or not properly encoded. */
export interface UnreadableParameters extends OAuthError {
  /**
   * The parameters whose every value is properly encoded; undefined if there are too many or too long ones. Use them
   * only to decide where the refusal goes: to the application, unless client_id or redirect_uri is wrong (RFC 6749 §4.1.2.1).
   */
  readonly readable?: Parameters;
}

/** Characters of the encoded form; http refuses larger bodies before they get here. */
export const MAX_PARAMETERS_LENGTH = 32 * 1024;
const MAX_PARAMETERS = 100;

/** RFC 8707 §2 and RFC 8693 §2.1 allow several of these. */
const repeatable = new Set(["resource", "audience"]);

/** `encoded` is the raw query without its question mark, or the raw body. */
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

/** Parameters of already decoded pairs. */
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

/** RFC 6749 §3.1 and §3.2: parameters MUST NOT be included more than once. Choice: that holds for unknown ones too. */
export function checkRepeated(parameters: Parameters): OAuthError | undefined {
  const name = parameters.repeated();
  if (name === undefined) return undefined;
  return invalidRequest(`${/^[a-z_]{1,40}$/.test(name) ? name : "a parameter"} is repeated`);
}

/** One name or value of application/x-www-form-urlencoded; undefined when it is not well-formed UTF-8 or holds NUL. */
export function decodeFormComponent(encoded: string): string | undefined {
  // A lenient decoder before us leaves U+FFFD where the bytes were not UTF-8; sent on purpose it comes percent-encoded.
  if (/[\uD800-\uDFFF\uFFFD]/u.test(encoded)) return undefined;
  try {
    const decoded = /[%+]/.test(encoded) ? decodeURIComponent(encoded.replaceAll("+", " ")) : encoded;
    return decoded.includes("\0") ? undefined : decoded;
  } catch {
    return undefined; // URIError: a percent sign without two digits, or bytes that are not UTF-8
  }
}
