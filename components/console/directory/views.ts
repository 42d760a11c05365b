// The views that somebody keeps of a list, under names of their own. Choice: in this browser, as a view is a habit of one
// person at one desk; and in a cookie of the list's address, so that the page comes with them and nothing moves when its
// script runs.

export interface View {
  name: string;
  /** The address's parameters: `state=locked&sort=name`. */
  query: string;
}

const COOKIE = "views";
const MAX_VIEWS = 20;
/** Characters; a browser drops a cookie that is longer than 4096 with its name and attributes. */
const MAX_LENGTH = 3_500;

/** None where the cookie is not ours. @param cookies as they are sent, or as a page reads them */
export function viewsIn(cookies: string): View[] {
  const [, kept] =
    cookies
      .split("; ")
      .find((one) => one.startsWith(`${COOKIE}=`))
      ?.split(/=(.*)/s) ?? [];
  if (!kept) return [];
  try {
    const bytes = Uint8Array.from(atob(kept), (letter) => letter.charCodeAt(0));
    return viewsOf(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return [];
  }
}

/** What a page sets. The oldest go where there are too many. @param path the address of the list without its query */
export function viewsCookie(path: string, views: readonly View[]): string {
  const kept = views.slice(-MAX_VIEWS);
  while (encoded(kept).length > MAX_LENGTH) kept.shift();
  return `${COOKIE}=${encoded(kept)}; path=${path}; max-age=31536000; samesite=lax`;
}

/** Those of a value that somebody else may have written. */
export function viewsOf(value: unknown): View[] {
  const isView = (one: Partial<View> | null): one is View =>
    typeof one?.name === "string" && typeof one.query === "string";
  return Array.isArray(value) ? value.filter(isView).slice(0, MAX_VIEWS) : [];
}

const encoded = (views: readonly View[]): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(views))));
