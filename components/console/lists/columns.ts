// The columns of lists that a reader has shown or hidden. Choice: they are stored in this browser, because they are a
// habit of one user on one device; and in a cookie, so that the server renders them and the layout does not shift. Only
// differences from the default are stored, so that a new column appears for everyone.
import { COLUMNS_COOKIE, scriptCookie, scriptCookieIn } from "../../../shared/cookies";

/** The lists whose columns can be chosen; the names are part of the cookie. */
export type ListName =
  | "users"
  | "machines"
  | "organizations"
  | "apps"
  | "projects"
  | "sessions"
  | "attempts"
  | "mails"
  | "events";

/** The format of the names of lists and columns. */
const NAME = /^[a-z-]{1,30}$/;
/** The limit of the lists and of the columns of one list in a cookie, which anyone who uses the browser can set. */
const MAX_NAMES = 30;

/** Reads the ids of the columns by list, such as `users.created.factors~apps.kind`. */
function storedIn(cookies: string): Map<string, string[]> {
  const lists = (scriptCookieIn(cookies, COLUMNS_COOKIE) ?? "").split("~").slice(0, MAX_NAMES);
  const parts = lists.map((list) => list.split(".").slice(0, MAX_NAMES));
  const valid = parts.filter((names) => names.every((name) => NAME.test(name)));
  return new Map(valid.map(([list = "", ...columns]) => [list, columns]));
}

/**
 * Returns the ids of the columns of a list that are shown or hidden unlike the default.
 * @param cookies the Cookie header or `document.cookie`
 */
export const toggledIn = (cookies: string, list: ListName): readonly string[] => storedIn(cookies).get(list) ?? [];

/** Returns the cookie that a page sets; the columns of other lists are kept. */
export function columnsCookie(cookies: string, list: ListName, toggled: readonly string[]): string {
  const stored = storedIn(cookies).set(list, [...toggled]);
  const lists = [...stored].filter(([, columns]) => columns.length > 0);
  return scriptCookie(
    COLUMNS_COOKIE,
    lists.map(([name, columns]) => [name, ...columns].join(".")).join("~"),
    "/console",
  );
}
