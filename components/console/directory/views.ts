// The named views of a list that a user saves. Choice: they are stored in this browser, because a view is a habit of
// one user on one device; and in a cookie limited to the list's address, so that the server renders them and the layout
// does not shift.
import { scriptCookie, scriptCookieIn, VIEWS_COOKIE } from "../../../shared/cookies";

export interface View {
  name: string;
  /** The parameters of the address, such as `state=locked&sort=name`. */
  query: string;
}

const MAX_VIEWS = 20;
/** The limit in characters; a browser drops a cookie that is longer than 4096 with its name and attributes. */
const MAX_LENGTH = 3_500;

/**
 * Reads the views; returns none if the cookie is invalid.
 * @param cookies the Cookie header or `document.cookie`
 */
export function viewsIn(cookies: string): View[] {
  const kept = scriptCookieIn(cookies, VIEWS_COOKIE);
  if (!kept) return [];
  try {
    const bytes = Uint8Array.from(atob(kept), (letter) => letter.charCodeAt(0));
    return viewsOf(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return [];
  }
}

/**
 * Returns the cookie that a page sets. The oldest views are dropped if there are too many.
 * @param path the address of the list without its query
 */
export function viewsCookie(path: string, views: readonly View[]): string {
  const kept = views.slice(-MAX_VIEWS);
  while (encoded(kept).length > MAX_LENGTH) kept.shift();
  return scriptCookie(VIEWS_COOKIE, encoded(kept), path);
}

/** Returns the valid views of an untrusted value. */
export function viewsOf(value: unknown): View[] {
  const isView = (one: Partial<View> | null): one is View =>
    typeof one?.name === "string" && typeof one.query === "string";
  return Array.isArray(value) ? value.filter(isView).slice(0, MAX_VIEWS) : [];
}

const encoded = (views: readonly View[]): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(views))));
