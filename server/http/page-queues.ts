/**
 * Queues for pages. Rendering a page takes milliseconds of the single shared thread, and tens of them in the console.
 * Only a few per network are rendered at once: more would not be faster for that network, but delay all others (attack:
 * one user loads hundreds of pages at once, so that no one gets a token meanwhile).
 */
import { createKeyedQueues, type QueueLimit } from "../concurrency/queue";
import type { Context } from "../context";
import { networkOf } from "../throttle";
import { clientAddress } from "./request";
import type { Handler, Methods, Routes } from "./routes";

/** A network with many users may have many waiting requests. */
const WAITING = 1_000;
const LIMITS = {
  /** The number of concurrent requests of a browser to one host over HTTP/1.1. */
  page: { atOnce: 6, waiting: WAITING },
  /**
   * Node accepts one connection per turn of the event loop, so many page parts per turn would block new connections.
   */
  "console page": { atOnce: 3, waiting: WAITING },
} satisfies Record<string, QueueLimit>;

const queues = createKeyedQueues();

/**
 * Renders a page when the network has a free slot.
 * @param address the client's IP address
 * @throws QueueFull if too many wait, Abandoned if the signal aborts before a slot is free
 */
export function inPageQueue<T>(
  kind: keyof typeof LIMITS,
  address: string | undefined,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return queues.run(`${kind} to ${networkOf(address)}`, LIMITS[kind], work, signal);
}

/** Returns the route table with these methods queued. */
export function routesInQueue(routes: Routes, methods: readonly ("GET" | "POST")[]): Routes {
  const queued = ([path, handlers]: [string, Methods]) => {
    const changed = methods.flatMap((method) => {
      const handler = handlers[method];
      return handler === undefined ? [] : [[method, handlerInQueue(handler)]];
    });
    return [path, { ...handlers, ...Object.fromEntries(changed) }];
  };
  return Object.fromEntries(Object.entries(routes).map(queued));
}

function handlerInQueue(handler: Handler): Handler {
  return (ctx: Context, http) =>
    inPageQueue("page", clientAddress(ctx, http), async () => handler(ctx, http), http.req.raw.signal);
}
