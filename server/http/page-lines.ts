/**
 * The lines for pages. A page takes milliseconds of the one thread that all share, and one of the console tens of them.
 * Only a few for a network are made at once: the rest would not come earlier, but stand before everybody else (attack:
 * one person who loads hundreds of pages at once, so that nobody gets a token meanwhile).
 */
import { createLines, type LineLimit } from "../concurrency/lines";
import type { Context } from "../context";
import { networkOf } from "../throttle";
import { clientAddress } from "./request";
import type { Handler, Methods, Routes } from "./routes";

/** Of many people in one network many may wait. */
const WAITING = 1_000;
const LIMITS = {
  /** As many at once as a browser asks one host for over HTTP/1.1. */
  page: { atOnce: 6, waiting: WAITING },
  /** Node accepts one connection in a turn of the event loop, so with many parts of pages in each turn nobody gets in. */
  "console page": { atOnce: 3, waiting: WAITING },
} satisfies Record<string, LineLimit>;

const lines = createLines();

/**
 * Makes a page when it is the network's turn.
 * @param address of the client
 * @throws LineFull where too many wait, Abandoned if the signal aborts before the turn
 */
export function inPageLine<T>(
  kind: keyof typeof LIMITS,
  address: string | undefined,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return lines.run(`${kind} to ${networkOf(address)}`, LIMITS[kind], work, signal);
}

/** The table with these methods in line. */
export function routesInLine(routes: Routes, methods: readonly ("GET" | "POST")[]): Routes {
  const inLine = ([path, handlers]: [string, Methods]) => {
    const changed = methods.flatMap((method) => {
      const handler = handlers[method];
      return handler === undefined ? [] : [[method, handlerInLine(handler)]];
    });
    return [path, { ...handlers, ...Object.fromEntries(changed) }];
  };
  return Object.fromEntries(Object.entries(routes).map(inLine));
}

function handlerInLine(handler: Handler): Handler {
  return (ctx: Context, http) =>
    inPageLine("page", clientAddress(ctx, http), async () => handler(ctx, http), http.req.raw.signal);
}
