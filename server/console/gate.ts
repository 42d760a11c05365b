/**
 * In front of every page of the console, before Next sees the request: whoever is not signed in is sent to sign in, and
 * each answer gets a Content-Security-Policy with a nonce of its own (CSP Level 3 §6.7), which Next reads from the
 * request and puts on its scripts. Headers of these names in the request are replaced.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "../context";
import { randomSecret } from "../crypto/random";
import { consolePageHeaders } from "../web/pages/headers";
import { errorPage } from "../web/pages/public-pages";
import { consoleLanguage, languageChoice } from "./language";
import { openConsoleSession } from "./session";

/** Whether Next may answer; if false, the response has been sent. */
export type ConsoleGate = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export interface GateOptions {
  /** The development server's pages need a laxer policy to reload themselves. */
  development: boolean;
}

export function consoleGate(ctx: Context, { development }: GateOptions): ConsoleGate {
  const { host } = new URL(ctx.config.baseUrl);
  return async (request, response) => {
    try {
      const isOurHost = (request.headers[":authority"] ?? request.headers.host) === host;
      // On another host there are no cookies; the sign-in page says which address to use.
      const session = isOurHost ? await openConsoleSession(ctx, request.headers.cookie) : undefined;
      if (!session) {
        response.writeHead(303, { location: signInAddress(request), "cache-control": "no-store" }).end();
        return false;
      }
      const choice = languageChoice(ctx, request);
      if (choice) {
        const { location, cookie } = choice;
        const chosen = cookie === undefined ? {} : { "set-cookie": cookie };
        response.writeHead(303, { location, "cache-control": "no-store", ...chosen }).end();
        return false;
      }
      const headers = consolePageHeaders({ nonce: randomSecret(), development });
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      request.headers["content-security-policy"] = headers["content-security-policy"];
      request.headers["x-console-locale"] = await consoleLanguage(ctx, request, session.caller.userId);
      const [path, query = ""] = (request.url ?? "").split("?", 2);
      request.headers["x-console-path"] = path;
      request.headers["x-console-query"] = query;
      return true;
    } catch (error) {
      ctx.log.error({ err: error, path: "/console" }, "unforeseen error");
      const frame = { locale: "en", requestId: randomSecret().slice(0, 16) } as const;
      const page = errorPage({ kind: "unavailable", occurredAt: ctx.clock() }, frame);
      response.writeHead(page.status, page.headers).end(page.html);
      return false;
    }
  };
}

/** Relative, so that the host stays the same. `_rsc` is Next's own parameter, not part of a page's address. */
function signInAddress({ url = "/console" }: IncomingMessage): string {
  const [path = "", query = ""] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  parameters.delete("_rsc");
  const to = parameters.size > 0 ? `${path}?${parameters}` : path;
  return `/console/sign-in?to=${encodeURIComponent(to)}`;
}
