/** The time zone of a browser, which its script tells in a cookie, so that times are shown as on the reader's clock. */
import { parse } from "hono/utils/cookie";
import { timeZone as timeZoneRule } from "../directory/fields";
import type { Http } from "./env";

/** Also named in zone.browser.js and, for the console, in components/console/time-zone.ts. */
const COOKIE = "tz";
/** Characters; no name of a zone is longer. */
const MAX_LENGTH = 64;

/** IANA name; undefined where no script ran, and for anything that is no zone. */
export const browserTimeZone = (http: Http): string | undefined => timeZoneIn(http.req.header("cookie"));

/** The same of the cookies as they were sent. */
export function timeZoneIn(cookies: string | undefined): string | undefined {
  const { [COOKIE]: told } = parse(cookies ?? "", COOKIE);
  if (told === undefined || told.length > MAX_LENGTH) return undefined;
  const zone = timeZoneRule.safeParse(told);
  return zone.success ? zone.data : undefined;
}
