/**
 * Device authorization (RFC 8628): the request of a device, and the short code that a user copies from its screen. The
 * code has no vowels, so that it never spells a word, and no digits, which could be mistaken for letters (§6.1).
 */
import { invalidRequest, isError, type OAuthError } from "./oauth-error";
import { checkRepeated, type Parameters } from "./parameters";
import { parseScope } from "./scope";

export const userCodeAlphabet = "BCDFGHJKLMNPQRSTVWXZ";
const USER_CODE_LENGTH = 8;

/** The maximum length of the typed text in characters, including spaces and dashes around the code. */
const MAX_TYPED = 64;

/** Parses the request (RFC 8628 §3.1); without a scope, only access is requested. */
export function parseDeviceRequest(form: Parameters): { scope: string[]; resources: readonly string[] } | OAuthError {
  const repeated = checkRepeated(form);
  if (repeated) return repeated;
  const scope = parseScope(form.get("scope"));
  if (isError(scope)) return scope;
  if (form.has("request") || form.has("request_uri")) return invalidRequest("request objects are not supported");
  return { scope, resources: form.all("resource") };
}

/** Returns the code in the form that is compared: upper case, without separators. Undefined if it is not a code. */
export function normalizeUserCode(typed: string | undefined): string | undefined {
  if (typed === undefined || typed.length > MAX_TYPED) return undefined;
  const letters = typed
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[\s\p{Pd}._]/gu, "");
  const known =
    letters.length === USER_CODE_LENGTH && [...letters].every((letter) => userCodeAlphabet.includes(letter));
  return known ? letters : undefined;
}

/** Formats a code for display: `WDJB-MJHT`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, USER_CODE_LENGTH / 2)}-${code.slice(USER_CODE_LENGTH / 2)}`;
}
