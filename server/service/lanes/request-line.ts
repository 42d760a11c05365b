/**
 * Requests whose target or Host is not valid. The service answers requests with any Host (rule SERVE-1): a load
 * balancer's HTTP/1.0 check sends none, a scanner sends markup. An invalid target is refused with one clear line, RFC
 * 9112 §3.2, and so is one that means another path to whoever normalizes it (attack: a proxy that caches by prefix, or
 * our own choice of a lane, sees `/_next/`, and whoever answers sees `/console`).
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { RequestError } from "@hono/node-server";
import { isApiPath, readersLanguage } from "../../http/api-errors";
import { localizedBody } from "../../http/refusal-texts";
import { invalidArgument } from "../../protocol/api-error";
import { parseUrl } from "../../protocol/url";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** A host name, IPv4 or bracketed IPv6 address, with an optional port. */
const HOST = /^(?<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** Whether Host (in HTTP/2 `:authority`) is valid in a URL, which must keep its meaning. */
export function hasHost({ headers }: IncomingMessage): boolean {
  const host = (headers[":authority"] as string | undefined) ?? headers.host;
  const name = HOST.exec(host?.toLowerCase() ?? "")?.groups?.name;
  // URL normalizes 127.1 and 0x7f.0.0.1 to another name.
  return name !== undefined && parseUrl(`http://${host}`)?.hostname === name;
}

/** Whether the path can be decoded and the method is a common one; Next answers others with 500. */
export function hasOrdinaryTarget({ method = "", url = "" }: IncomingMessage): boolean {
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "");
    return METHODS.has(method);
  } catch {
    return false;
  }
}

/** RFC 9112 §3.2.2: clients send this form to proxies, but a server has to accept it. */
const ABSOLUTE_FORM = /^https?:\/\/[^/?#@\\]+(?=[/?]|$)/i;

/** Whether the path of the target means the same to everybody; what stands in the query is nobody's path. */
export function hasPlainPath({ url = "" }: Pick<IncomingMessage, "url">): boolean {
  if (url === "*") return true; // refused in other words
  const [path = ""] = url.replace(ABSOLUTE_FORM, "").split("?", 1);
  if (path !== "" && !path.startsWith("/")) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop some of them, after which dots are joined
  if (/[\\#\u0000-\u0020\u007f]|%5c|\/\//i.test(path)) return false;
  // `;` begins parameters of a segment, which some proxies remove.
  const segments = path.split(/\/|%2f/i).map((segment) => segment.replace(/%2e/gi, ".").replace(/(?:;|%3b).*$/i, ""));
  return !segments.some((segment) => segment === "." || segment === "..");
}

/** The path and query of a target in either form. */
export function originForm(url: string): string {
  const rest = url.replace(ABSOLUTE_FORM, "");
  return rest.startsWith("/") || rest === "*" ? rest : `/${rest}`;
}

/** A target whose path is not plain, in words. */
const NOT_PLAIN = "the request target must be a path without dot segments, // and backslashes";
const JSON_ANSWER = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-type": "application/json",
};

type Refused = Pick<IncomingMessage, "url" | "headers">;

/**
 * The same as a body: that of the management APIs (rule API-1) where the address is one of theirs but for slashes too
 * many, as of clients that put a base address with a slash at its end before a path, or for what a value in it has.
 */
function refusedTarget({ url = "", headers }: Refused): string {
  const [path = ""] = originForm(url).split("?", 1);
  if (!isApiPath(path.replace(/\/{2,}/g, "/"))) {
    return JSON.stringify({ error: "invalid_request", error_description: NOT_PLAIN });
  }
  const refusal = invalidArgument("request.target", `The address is not plain: ${NOT_PLAIN}.`);
  return JSON.stringify(localizedBody(refusal, readersLanguage(headers["accept-language"])));
}

/** Refuses a target whose path is not plain. @param request as it came, but for the path of BASE_URL */
export function refuseTarget(request: Refused, response: ServerResponse): void {
  const body = refusedTarget(request);
  response.writeHead(400, { ...JSON_ANSWER, "content-length": Buffer.byteLength(body) });
  response.end(body);
}

/** The same refusal for a lane that has no response to write to. */
export const targetRefusal = (request: Refused): Response =>
  new Response(refusedTarget(request), { status: 400, headers: JSON_ANSWER });

/** The response to a request that could not be passed to the application, or failed outside of it. */
export function unanswerable(error: unknown): Response {
  const [status, code, description] =
    error instanceof RequestError
      ? ([400, "invalid_request", "the request target is not an address of this service"] as const)
      : ([500, "server_error", "something unexpected happened"] as const);
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  return Response.json({ error: code, error_description: description }, { status, headers });
}
