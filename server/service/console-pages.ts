/** Which addresses are pages of the console, which Next renders: the application knows none of them one by one. */

/** What the application itself answers below `/console`: signing in and out, and the pages' API. */
const CONSOLE_ENDPOINTS = /^\/console\/(?:sign-in|callback|sign-out|api)(?:[/?]|$)/;

/** What a page of the console is asked by. */
export const PAGE_METHODS: readonly string[] = ["GET", "HEAD"];

/** @param url path and query, or the path alone */
export function isConsoleAddress(url: string): boolean {
  return /^\/console(?:[/?]|$)/.test(url) && !CONSOLE_ENDPOINTS.test(url);
}
