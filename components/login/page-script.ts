// Scripts inside pages. They are constants, so that the Content-Security-Policy can allow them by their hash.
import pageSource from "./page.browser.js?raw";
import passkeySource from "./passkey.browser.js?raw";
import zoneSource from "./zone.browser.js?raw";

/** For every page with a form. */
export const PAGE_SCRIPT = withoutComments(pageSource);
/** For a page that shows times, or leads to those that do. */
export const ZONE_PAGE_SCRIPT = `${PAGE_SCRIPT}\n${withoutComments(zoneSource)}`;
/** For a page with a form that asks for a passkey as well. */
export const PASSKEY_PAGE_SCRIPT = `${ZONE_PAGE_SCRIPT}\n${withoutComments(passkeySource)}`;

function withoutComments(script: string): string {
  return script
    .replace(/\/\*\*.*?\*\/|(^|\s)\/\/ .*$/gm, "")
    .replace(/\n\s+/g, "\n")
    .trim();
}
