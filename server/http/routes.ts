/** A table of paths with a handler for each method. Every area of the service has one. */
import type { Context } from "../context";
import type { Http } from "./env";

export type Handler = (ctx: Context, http: Http) => Response | Promise<Response>;
export type Methods = Partial<Record<"GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", Handler>>;
/** Paths may contain parameters, as in `/text/:language`. */
export type Routes = Readonly<Record<string, Methods>>;

/**
 * Merges several tables: `/users/human` before `/users/:userId` and `/users/*`, which would match it too. Throws if
 * two of them have the same method of the same path.
 */
export function mergeRoutes(...tables: readonly Routes[]): Routes {
  const merged: Record<string, Methods> = {};
  for (const [path, methods] of tables.flatMap((table) => Object.entries(table))) {
    const known = merged[path] ?? {};
    const twice = Object.keys(methods).find((method) => method in known);
    if (twice) throw new Error(`${twice} ${path} is answered twice`);
    merged[path] = { ...known, ...methods };
  }
  return Object.fromEntries(Object.entries(merged).sort(namedFirst));
}

function namedFirst(...entries: readonly [[string, Methods], [string, Methods]]): number {
  const [one, other] = entries.map(([path]) => path.replace(/:\w+/g, "~").replaceAll("*", "~~"));
  return one === other ? 0 : (one ?? "") < (other ?? "") ? -1 : 1;
}
