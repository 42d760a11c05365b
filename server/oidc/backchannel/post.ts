/**
 * The one request the service makes to an address that an administrator typed (OpenID Connect Back-Channel Logout 1.0
 * §2.5). Attack: server-side request forgery. So the name is resolved here, every address it has must be public, the
 * connection goes to the very address that was checked (no rebinding in between), nothing is followed, and time and
 * size are bounded.
 */
import { lookup } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { checkBackChannelUri, isLoopbackUri, isPublicAddress } from "../../protocol/public-address";

/** Milliseconds from the first packet to the last. */
const TIMEOUT = 10_000;
/** Bytes of an answer that are read before the connection is closed; only the status matters. */
const LARGEST_ANSWER = 16 * 1024;

export interface PostOptions {
  devMode: boolean;
  /** All addresses of a host name. */
  resolve?: (host: string) => Promise<{ address: string; family: number }[]>;
  /** Milliseconds. */
  timeout?: number;
}

/** The status of the answer, or why there is none. */
export type PostOutcome = { status: number } | { error: string };

/** Posts a form; never throws. */
export async function postForm(address: string, form: URLSearchParams, options: PostOptions): Promise<PostOutcome> {
  const refused = checkBackChannelUri(address, options);
  if (refused !== undefined) return { error: `the address ${refused}` };
  const body = form.toString();
  const { timeout = TIMEOUT } = options;
  return new Promise((resolve) => {
    const url = new URL(address);
    const request = (url.protocol === "https:" ? https : http).request(url, {
      method: "POST",
      lookup: checkedLookup(options, isLoopbackUri(address)),
      agent: false, // a connection of its own: none that was opened to another address is used again
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
        if (size > LARGEST_ANSWER) response.destroy();
      });
      response.on("error", () => {}); // cut off by us, or by them after the status, which is all there is to know
      response.on("close", () => resolve({ status: response.statusCode ?? 0 }));
    });
    request.end(body);
  });
}

/** Resolves once, refuses unless every address may be called, and hands the connection what was checked. */
function checkedLookup(
  { resolve = (host) => lookup(host, { all: true }) }: PostOptions,
  loopback: boolean,
): LookupFunction {
  return (host, options, callback) => {
    void (async () => {
      try {
        const found = await resolve(host);
        const forbidden = loopback ? undefined : found.find(({ address }) => !isPublicAddress(address));
        const [first] = found;
        if (!first) return callback(new Error("the name has no address"), "");
        if (forbidden) return callback(new Error("the name resolves to an address that is not public"), "");
        if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      } catch (error) {
        callback(error as NodeJS.ErrnoException, "");
      }
    })();
  };
}

/** What the log shows; no stack, nothing of the answer. */
function describe(error: Error, timeout: number): string {
  if (error.name === "AbortError" || error.name === "TimeoutError") return `no answer within ${timeout / 1000} s`;
  const { code } = error as NodeJS.ErrnoException;
  return (code === undefined || code === error.message ? error.message : `${error.message} (${code})`).slice(0, 300);
}
