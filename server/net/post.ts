/**
 * Posts to a URL that an administrator entered. Against server-side request forgery, the name is resolved here, all of
 * its addresses must be permitted, the connection goes to the address that was checked (no DNS rebinding), redirects
 * are not followed, and time and size are bounded. Callers must check URLs with a literal IP address themselves
 * (public-address.ts), because those are not resolved.
 */
import http from "node:http";
import https from "node:https";
import { isPublicAddress } from "../protocol/public-address";
import { span } from "../tracing/span";
import { type NameResolver, systemResolver } from "./name-resolver";
import { checkedLookup } from "./public-lookup";

/** Time limit for the whole request, in milliseconds. */
const TIMEOUT = 10_000;
/** Bytes of a response that are read before the connection is closed. */
const MAX_RESPONSE_BYTES = 16 * 1024;

export interface Posted {
  body: string;
  headers: Readonly<Record<string, string>>;
}

export interface PostOptions {
  /** Returns all addresses of a host name. */
  resolve?: NameResolver["addresses"];
  /** Whether connecting to an address is permitted; by default if it is public. */
  isPermitted?: (address: string) => boolean;
  /** Milliseconds. */
  timeout?: number;
}

/** The response, with its text truncated if it is too long or incomplete; or why none was received. */
export type PostOutcome = { status: number; text: string } | { error: string };

/** Sends the request. Never rejects. */
export function post(url: URL, posted: Posted, options: PostOptions = {}): Promise<PostOutcome> {
  return span(
    "POST",
    async (noted) => {
      const outcome = await send(url, posted, options);
      if ("status" in outcome) noted.setAttribute("http.response.status_code", outcome.status);
      else noted.setAttribute("error.type", outcome.error);
      return outcome;
    },
    () => ({ attributes: { "http.request.method": "POST", "server.address": url.hostname }, isCall: true }),
  );
}

function send(url: URL, { body, headers }: Posted, options: PostOptions): Promise<PostOutcome> {
  const { timeout = TIMEOUT, resolve: addresses = systemResolver.addresses, isPermitted = isPublicAddress } = options;
  return new Promise((resolve) => {
    const request = (url.protocol === "https:" ? https : http).request(url, {
      method: "POST",
      lookup: checkedLookup(addresses, isPermitted),
      agent: false, // always a new connection: an existing one may lead to another address
      signal: AbortSignal.timeout(timeout),
      headers: {
        "content-length": Buffer.byteLength(body),
        accept: "application/json",
        "user-agent": "identity-service",
        ...headers,
      },
    });
    request.on("error", (error) => resolve({ error: describe(error, timeout) }));
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_RESPONSE_BYTES) response.destroy();
        else chunks.push(chunk);
      });
      response.on("error", () => {}); // closed by us, or by the other end after the status
      response.on("close", () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
      );
    });
    request.end(body);
  });
}

/** Describes the error for the log: no stack, nothing from the response. */
function describe(error: Error, timeout: number): string {
  if (error.name === "AbortError" || error.name === "TimeoutError") return `no answer within ${timeout / 1000} s`;
  const { code } = error as NodeJS.ErrnoException;
  return (code === undefined || code === error.message ? error.message : `${error.message} (${code})`).slice(0, 300);
}
