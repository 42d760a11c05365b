/**
 * Codes that people type or paste. All codes are compared in one form, so full-width and Arabic digits are accepted.
 * Input that is longer than any code is truncated first.
 */
const MAX_LENGTH = 100;
/** The zeros of the Arabic-Indic and the Eastern Arabic-Indic digits, which NFKC does not change. */
const ARABIC_ZERO = 0x0660;
const EASTERN_ARABIC_ZERO = 0x06f0;

/** Returns the code in Unicode NFKC, with ASCII digits. */
export function plainCode(typed: string): string {
  return typed
    .slice(0, MAX_LENGTH)
    .normalize("NFKC")
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_ZERO))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - EASTERN_ARABIC_ZERO));
}

/** Returns a code of letters and digits in upper case, without spaces and dashes. */
export function comparableCode(typed: string): string {
  return plainCode(typed)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, "");
}

/** Formats a code of eight characters for display: `ABCD-1234`. */
export function shownCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
