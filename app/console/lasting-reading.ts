// Next.js reloads the whole page when fetching a page's data (React Server Components) fails. That loses input if the
// network is down, and in Firefox it overtakes the navigation that aborts the fetch, because fetches end well before
// `pagehide` there. So a fetch does not fail: it is retried until there is a response or the page is left.
import { renewSession } from "../../components/console/calls/call";
import { AHEAD_HEADER } from "../../shared/pages";

/** The delay before the second attempt, and the maximum delay between attempts, in milliseconds. */
const PAUSES = { first: 500, longest: 8_000 };

/** The pages that are read ahead. Next.js does not mark the request that reads their data. */
const ahead = new Set<string>();

export const markAhead = (url: URL): void => void ahead.add(pageOfReading(url));
/** Marks a page as requested by the user. */
export const markWanted = (url: URL): void => void ahead.delete(pageOfReading(url));

/** Returns the path and query of a page, without the parameter of Next.js. */
function pageOfReading(input: RequestInfo | URL): string {
  const url = new URL(input instanceof Request ? input.url : input, location.href);
  url.searchParams.delete("_rsc");
  return url.pathname + url.search;
}

/** Makes the fetches of this page retry. It replaces the global `fetch` because Next.js accepts no other. */
export function letReadingsLast(): void {
  const plain = window.fetch;
  window.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (headers.get("rsc") !== "1") return plain(input, init);
    if (headers.has("next-router-prefetch") || ahead.has(pageOfReading(input))) {
      headers.set(AHEAD_HEADER, "1");
      return plain(input, { ...init, headers, redirect: "manual" }); // no user waits for it
    }
    return read(() => plain(input, { ...init, redirect: "manual" }), init?.signal);
  };
}

type Attempt = () => Promise<Response>;

/**
 * Fetches with retries. Signed-out users are redirected to the sign-in, which a script that follows redirects could not
 * distinguish from a network failure.
 */
async function read(attempt: Attempt, signal: AbortSignal | null | undefined): Promise<Response> {
  const response = await lasting(attempt, signal);
  const isRenewed = response.type === "opaqueredirect" && (await renewSession().catch(() => false));
  return isRenewed ? lasting(attempt, signal) : response;
}

async function lasting(attempt: Attempt, signal: AbortSignal | null | undefined): Promise<Response> {
  for (let pause = PAUSES.first; ; pause = Math.min(2 * pause, PAUSES.longest)) {
    try {
      return await whole(await attempt());
    } catch (error) {
      if (signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Reads the complete body, which can fail too. */
async function whole(response: Response): Promise<Response> {
  if (!response.body) return response;
  const { url, redirected } = response;
  const copy = new Response(await response.arrayBuffer(), response);
  return Object.defineProperties(copy, { url: { value: url }, redirected: { value: redirected } });
}
