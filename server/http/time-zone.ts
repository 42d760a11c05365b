/** The time zone of a browser, which its script tells in a cookie, so that times are shown as on the reader's clock. */
import { getCookie } from "hono/cookie";
import { timeZone as timeZoneRule } from "../directory/fields";
import type { Http } from "./env";

/** Also named in zone.browser.js. */
const COOKIE = "tz";
/** Characters; no name of a zone is longer. */
const MAX_LENGTH = 64;

/** IANA name; undefined where no script ran, and for anything that is no zone. */
export function browserTimeZone(http: Http): string | undefined {
  const told = getCookie(http, COOKIE);
  if (told === undefined || told.length > MAX_LENGTH) return undefined;
  const zone = timeZoneRule.safeParse(told);
  return zone.success ? zone.data : undefined;
}
