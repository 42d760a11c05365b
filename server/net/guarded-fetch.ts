/**
 * A `fetch` for libraries that speak to services an administrator named. Against server-side request forgery, the name
 * is resolved once, all of its addresses must be permitted, the connection goes to the address that was checked, no
 * redirect is followed, and time and size are bounded. Callers check URLs with a literal IP address themselves
 * (public-address.ts), because those are not resolved.
 */
import http from "node:http";
import https from "node:https";
import { isPublicAddress } from "../protocol/public-address";
import { partSpan } from "../tracing/span";
import { type NameResolver, systemResolver } from "./name-resolver";
import { checkedLookup } from "./public-lookup";

/** Time limit for a whole request, in milliseconds. */
const TIMEOUT = 8_000;
/** Bytes; key sets and discovery documents of large providers have some ten thousand. */
const MAX_BYTES = 256 * 1024;

export interface GuardedRequest {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
}

export interface GuardedOptions {
  resolve?: NameResolver["addresses"];
  /** Whether connecting to an address is permitted; by default if it is public. */
  isPermitted?: (address: string) => boolean;
}

/** Sends the request. Rejects with an error whose message repeats nothing that was received. */
export function guardedFetch(url: URL, request: GuardedRequest, options: GuardedOptions = {}): Promise<Response> {
  return partSpan(
    request.method,
    () => fetchGuarded(url, request, options),
    () => ({
      attributes: { "http.request.method": request.method, "server.address": url.hostname },
      isCall: true,
    }),
  );
}

function fetchGuarded(
  url: URL,
  { method, headers, body }: GuardedRequest,
  { resolve: addresses = systemResolver.addresses, isPermitted = isPublicAddress }: GuardedOptions,
): Promise<Response> {
  const content = body === undefined || body === null ? undefined : String(body);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "http:" ? http : https).request(url, {
      method,
      lookup: checkedLookup(addresses, isPermitted),
      agent: false, // always a new connection: an existing one may lead to another address
      signal: AbortSignal.timeout(TIMEOUT),
      headers: {
        ...headers,
        "user-agent": "identity-service",
        ...(content !== undefined && { "content-length": Buffer.byteLength(content) }),
      },
    });
    const fail = (error: Error) => reject(new Error(describe(error)));
    request.on("error", fail);
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > MAX_BYTES) response.destroy(new Error("the response is too large"));
      });
      response.on("error", fail);
      response.on("end", () => {
        const status = response.statusCode ?? 500;
        const type = response.headers["content-type"];
        const hasBody = status >= 200 && status !== 204 && status !== 205 && status !== 304;
        resolve(
          new Response(hasBody ? Buffer.concat(chunks) : null, {
            status: status < 200 ? 500 : status,
            headers: type === undefined ? {} : { "content-type": type },
          }),
        );
      });
    });
    request.end(content);
  });
}

/** Describes an error without repeating anything that was received. */
function describe(error: Error): string {
  if (error.name === "AbortError" || error.name === "TimeoutError") return `no answer within ${TIMEOUT / 1000} s`;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || code === error.message ? error.message : `${error.message} (${code})`;
}
