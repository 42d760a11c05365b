/**
 * The one request the service makes to an address that an administrator entered (OpenID Connect Back-Channel Logout 1.0
 * §2.5). Attack: server-side request forgery. Hence the name is resolved here, all of its addresses must be public, the
 * connection goes to the very address that was checked (no DNS rebinding), redirects are not followed, and time and
 * size are bounded.
 */
import http from "node:http";
import https from "node:https";
import { type NameResolver, systemResolver } from "../../net/name-resolver";
import { checkedLookup } from "../../net/public-lookup";
import { type CallRules, checkBackChannelUri, isLoopbackUri, isPublicAddress } from "../../protocol/public-address";
import { sentenceOf } from "../../protocol/reason";

/** Milliseconds from the first packet to the last. */
const TIMEOUT = 10_000;
/** Bytes of an answer that are read before the connection is closed; only the status matters. */
const MAX_RESPONSE_BYTES = 16 * 1024;

export interface PostOptions extends CallRules {
  /** All addresses of a host name. */
  resolve?: NameResolver["addresses"];
  /** Milliseconds. */
  timeout?: number;
}

/** The status of the answer, or why there is none. */
export type PostOutcome = { status: number } | { error: string };

/** Posts a form; never throws. */
export async function postForm(address: string, form: URLSearchParams, options: PostOptions): Promise<PostOutcome> {
  const refused = checkBackChannelUri(address, options);
  if (refused !== undefined) return { error: `the address ${sentenceOf(refused)}` };
  const body = form.toString();
  const { timeout = TIMEOUT, resolve: addresses = systemResolver.addresses } = options;
  const isPermitted = isLoopbackUri(address) ? () => true : isPublicAddress;
  return new Promise((resolve) => {
    const url = new URL(address);
    const request = (url.protocol === "https:" ? https : http).request(url, {
      method: "POST",
      lookup: checkedLookup(addresses, isPermitted),
      agent: false, // never reuse a connection opened to another address
      signal: AbortSignal.timeout(timeout),
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "content-length": Buffer.byteLength(body),
        accept: "application/json",
        "user-agent": "identity-service",
      },
    });
    request.on("error", (error) => resolve({ error: describe(error, timeout) }));
    request.on("response", (response) => {
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_RESPONSE_BYTES) response.destroy();
      });
      response.on("error", () => {}); // cut off by us, or by the app after the status, which is all we need
      response.on("close", () => resolve({ status: response.statusCode ?? 0 }));
    });
    request.end(body);
  });
}

/** The error for the log: no stack, nothing from the response. */
function describe(error: Error, timeout: number): string {
  if (error.name === "AbortError" || error.name === "TimeoutError") return `no answer within ${timeout / 1000} s`;
  const { code } = error as NodeJS.ErrnoException;
  return (code === undefined || code === error.message ? error.message : `${error.message} (${code})`).slice(0, 300);
}
