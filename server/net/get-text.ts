/**
 * Fetches a small text file from a host that a user named: only from public addresses, without following redirects, and
 * limited in time and size (attack: server-side request forgery).
 */
import http from "node:http";
import https from "node:https";
import { isPublicAddress } from "../protocol/public-address";
import { partSpan } from "../tracing/span";
import type { NameResolver } from "./name-resolver";
import { checkedLookup } from "./public-lookup";

/** Time limit for the whole request, milliseconds. */
const TIMEOUT = 5_000;
/** The default for `largest`, in bytes. */
const MAX_BYTES = 4 * 1024;

/** The response, or why it could not be read, with the status if it is not 200. */
export type GetOutcome = { text: string; headers: http.IncomingHttpHeaders } | { error: string; status?: number };

export interface GetOptions {
  resolver: NameResolver;
  /** Whether connecting to an address is permitted; by default if it is public. */
  isPermitted?: (address: string) => boolean;
  /** The media types for the `Accept` header. */
  accept?: string;
  /** The maximum size in bytes. */
  largest?: number;
  /** PEM certificates to trust instead of the system's, for tests. */
  ca?: string;
}

/**
 * Returns the text of the file, or why it could not be read. Never rejects. Callers decide whether the URL may use
 * http.
 */
export function getText(url: URL, options: GetOptions): Promise<GetOutcome> {
  return partSpan(
    "GET",
    () => fetchText(url, options),
    () => ({ attributes: { "http.request.method": "GET", "server.address": url.hostname }, isCall: true }),
  );
}

function fetchText(
  url: URL,
  { resolver, isPermitted = isPublicAddress, accept = "text/plain", largest = MAX_BYTES, ca }: GetOptions,
): Promise<GetOutcome> {
  return new Promise((resolve) => {
    const request = (url.protocol === "http:" ? http : https).get(url, {
      lookup: checkedLookup(resolver.addresses, isPermitted),
      agent: false, // always a new connection: an existing one may lead to another address
      signal: AbortSignal.timeout(TIMEOUT),
      headers: { accept, "user-agent": "identity-service" },
      ...(ca !== undefined && { ca }),
    });
    request.on("error", (error) => resolve({ error: describe(error) }));
    request.on("response", (response) => {
      if (response.statusCode !== 200) {
        response.destroy();
        return resolve({ error: `it answered ${response.statusCode}`, status: response.statusCode });
      }
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > largest) response.destroy(new Error("the file is too large"));
      });
      response.on("error", (error) => resolve({ error: describe(error) }));
      response.on("end", () => resolve({ text: Buffer.concat(chunks).toString("utf8"), headers: response.headers }));
    });
  });
}

/** Describes an error without repeating anything that was received. */
function describe(error: Error): string {
  if (error.name === "AbortError" || error.name === "TimeoutError") return `no answer within ${TIMEOUT / 1000} s`;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `${error.message} (${code})`;
}
