/**
 * The time zone of a browser, from a cookie that its script sets, so that times are shown in the reader's local time.
 */
import { parse } from "hono/utils/cookie";
import { TIME_ZONE_COOKIE } from "../../shared/cookies";
import { timeZone as timeZoneRule } from "../directory/fields";
import type { Http } from "./env";

/** Characters; no time zone name is longer. */
const MAX_LENGTH = 64;

/** Returns the IANA name; undefined if no script ran, or if the value is not a time zone. */
export const browserTimeZone = (http: Http): string | undefined => timeZoneIn(http.req.header("cookie"));

/** Returns the time zone from a Cookie header. */
export function timeZoneIn(cookies: string | undefined): string | undefined {
  const { [TIME_ZONE_COOKIE]: told } = parse(cookies ?? "", TIME_ZONE_COOKIE);
  if (told === undefined || told.length > MAX_LENGTH) return undefined;
  const zone = timeZoneRule.safeParse(told);
  return zone.success ? zone.data : undefined;
}
