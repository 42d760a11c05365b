/**
 * Requests whose target or Host makes no address. The service answers whatever the Host (contract: Pages): a load
 * balancer that checks by HTTP/1.0 sends none, a scanner sends markup. A target that is no path is refused with one
 * clear line, RFC 9112 §3.2.
 */
import type { IncomingMessage } from "node:http";
import { RequestError } from "@hono/node-server";
import { parseUrl } from "../../protocol/url";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const HOST = /^(?<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** Whether an address can be made of the Host, or of `:authority` in HTTP/2, without any part changing its meaning. */
export function hasHost({ headers }: IncomingMessage): boolean {
  const host = (headers[":authority"] as string | undefined) ?? headers.host;
  const name = HOST.exec(host?.toLowerCase() ?? "")?.groups?.name;
  // 127.1 and 0x7f.0.0.1 would become another name.
  return name !== undefined && parseUrl(`http://${host}`)?.hostname === name;
}

/** Whether the path decodes and the method is one that web frameworks know; Next answers others with 500. */
export function hasOrdinaryTarget({ method = "", url = "" }: IncomingMessage): boolean {
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "");
    return METHODS.has(method);
  } catch {
    return false;
  }
}

/** The answer where a request could not even be handed to the application, or came back from it with an error. */
export function unanswerable(error: unknown): Response {
  const [status, code, description] =
    error instanceof RequestError
      ? ([400, "invalid_request", "the request target is not an address of this service"] as const)
      : ([500, "server_error", "something unexpected happened"] as const);
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  return Response.json({ error: code, error_description: description }, { status, headers });
}
