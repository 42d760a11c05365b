// Next takes a reading of a page (React Server Components) that fails for a reason to load the page as a whole. That loses
// what is typed when the network is gone, and in Firefox it overtakes the link whose click ends the reading, as fetches end
// well before `pagehide` there. So a reading does not fail: it is tried again until there is an answer or the page is left.
import { renewSession } from "../../components/console/call";

/** Before the second attempt, and at most between two, in milliseconds. */
const PAUSES = { first: 500, longest: 8_000 };

/** Lets the readings of this page last. It is a global function that changes, as Next takes no other. */
export function letReadingsLast(): void {
  const plain = window.fetch;
  window.fetch = (input, init) => {
    if (new Headers(init?.headers).get("rsc") !== "1") return plain(input, init);
    return read(() => plain(input, { ...init, redirect: "manual" }), init?.signal);
  };
}

type Attempt = () => Promise<Response>;

/** Whoever is not known any more is led to sign in, which a script that follows could not tell from a lost network. */
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

/** With all of its content, which can fail as well. */
async function whole(response: Response): Promise<Response> {
  if (!response.body) return response;
  const { url, redirected } = response;
  const copy = new Response(await response.arrayBuffer(), response);
  return Object.defineProperties(copy, { url: { value: url }, redirected: { value: redirected } });
}
