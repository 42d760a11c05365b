/**
 * Recognizes the addresses of console pages, which Next renders. The application does not know the individual pages.
 */

/** The addresses below `/console` that the application itself answers: signing in and out, and the API of the pages. */
const CONSOLE_ENDPOINTS = /^\/console\/(?:sign-in|callback|sign-out|api)(?:[/?]|$)/;

/** The methods of a console page. */
export const PAGE_METHODS: readonly string[] = ["GET", "HEAD"];

/**
 * Returns whether Next renders this address.
 * @param url path and query, or the path alone
 */
export function isConsoleAddress(url: string): boolean {
  return /^\/console(?:[/?]|$)/.test(url) && !CONSOLE_ENDPOINTS.test(url);
}
