// Inline scripts of pages. They are constants, so that the Content-Security-Policy can allow them by their hash.
import { scriptCookie, TIME_ZONE_COOKIE } from "../../shared/cookies";
import momentsSource from "./moments.browser.js?raw";
import pageSource from "./page.browser.js?raw";
import passkeySource from "./passkey.browser.js?raw";

const ZONE_HERE = "Intl.DateTimeFormat().resolvedOptions().timeZone";
/** Stores this device's time zone. */
const zoneSource = `document.cookie = \`${scriptCookie(TIME_ZONE_COOKIE, `\${${ZONE_HERE}}`)}\`;`;

/** The script of every page with a form. */
export const PAGE_SCRIPT = withoutComments(pageSource);
/** The script of a page that shows times, or leads to one that does. */
export const ZONE_PAGE_SCRIPT = `${PAGE_SCRIPT}\n${zoneSource}`;
/** The script of a page with a form that also asks for a passkey. */
export const PASSKEY_PAGE_SCRIPT = `${ZONE_PAGE_SCRIPT}\n${withoutComments(passkeySource)}`;

const moments = withoutComments(momentsSource);

/** Returns the script for a page that also shows a moment. */
export const withMoments = (script: string): string => `${script}\n${moments}`;

function withoutComments(script: string): string {
  return script
    .replace(/\/\*\*.*?\*\/|(^|\s)\/\/ .*$/gm, "")
    .replace(/\n\s+/g, "\n")
    .trim();
}
