/**
 * Rejects requests whose target or Host is invalid, or that a proxy may read differently. The service answers requests
 * with any Host (rule SERVE-1): the HTTP/1.0 check of a load balancer sends none, a scanner sends markup. An invalid
 * target is rejected with one clear line (RFC 9112 §3.2), and so is one that means another path to software that
 * normalizes it (attack: a proxy that caches by prefix, or our own choice of a handler, sees `/_next/`, and the handler
 * sees `/console`).
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

/** Returns whether Host (in HTTP/2 `:authority`) is valid in a URL and keeps its meaning there. */
export function hasHost({ headers }: IncomingMessage): boolean {
  const host = (headers[":authority"] as string | undefined) ?? headers.host;
  const name = HOST.exec(host?.toLowerCase() ?? "")?.groups?.name;
  // URL normalizes 127.1 and 0x7f.0.0.1 to another name.
  return name !== undefined && parseUrl(`http://${host}`)?.hostname === name;
}

/** Returns whether the path can be decoded and the method is a common one; Next answers others with 500. */
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

/** Returns whether all software reads the path of the target the same way; the query may contain anything. */
function hasPlainPath({ url = "" }: Pick<IncomingMessage, "url">): boolean {
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

/** The reason why a request is rejected before it is handled. */
interface Refusal {
  id: "request.target" | "request.host" | "request.version";
  text: string;
}

const NOT_PLAIN: Refusal = {
  id: "request.target",
  text: "the request target must be a path without dot segments, // and backslashes",
};
const TWO_HOSTS: Refusal = { id: "request.host", text: "the request must have one Host header" };
const NO_VERSION: Refusal = { id: "request.version", text: "the request line must end with HTTP/1.1 or HTTP/1.0" };

/**
 * Returns the reason to reject a request, or undefined. With two Host headers, a proxy in front may use the other one
 * (RFC 9112 §3.2), and a response in HTTP/0.9 would have no status.
 */
export function whyRefused(request: IncomingMessage): Refusal | undefined {
  if (request.httpVersionMajor < 1) return NO_VERSION;
  if (hasTwoHosts(request)) return TWO_HOSTS;
  return hasPlainPath(request) ? undefined : NOT_PLAIN;
}

/** Returns whether there are two Host headers, of which Node keeps the first. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string; // names and values in turn
    if (name.length === HOST_NAME.length && name.toLowerCase() === HOST_NAME) hosts++;
  }
  return hosts > 1;
}

const HOST_NAME = "host";

const JSON_ANSWER = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-type": "application/json",
};

type Refused = Pick<IncomingMessage, "url" | "headers">;

/**
 * Returns the body of a rejection. It is that of the management APIs (rule API-1) if the address would be one of theirs
 * without extra slashes, which clients send that join a base address with a trailing slash and a path, or an empty
 * value in it.
 */
function refusalBody({ url = "", headers }: Refused, { id, text }: Refusal): string {
  const [path = ""] = originForm(url).split("?", 1);
  if (!isApiPath(path.replace(/\/{2,}/g, "/"))) {
    return JSON.stringify({ error: "invalid_request", error_description: text });
  }
  const refusal = invalidArgument(id, `The request is not valid: ${text}.`);
  return JSON.stringify(localizedBody(refusal, readersLanguage(headers["accept-language"])));
}

/**
 * Answers a request with the reason of its rejection.
 * @param request as received, without the path of BASE_URL
 */
export function refuse(request: Refused, refusal: Refusal, response: ServerResponse): void {
  const body = refusalBody(request, refusal);
  response.writeHead(400, { ...JSON_ANSWER, "content-length": Buffer.byteLength(body) });
  response.end(body);
}

/** Returns the same rejection for Next, which passes no response object. */
export const refusalAnswer = (request: Refused, refusal: Refusal): Response =>
  new Response(refusalBody(request, refusal), { status: 400, headers: JSON_ANSWER });

/** The response to a request that could not be passed to the application, or failed outside of it. */
export function unanswerable(error: unknown): Response {
  const [status, code, description] =
    error instanceof RequestError
      ? ([400, "invalid_request", "the request target is not an address of this service"] as const)
      : ([500, "server_error", "something unexpected happened"] as const);
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  return Response.json({ error: code, error_description: description }, { status, headers });
}
