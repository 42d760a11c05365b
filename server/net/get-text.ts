/**
 * Reads a small text file of a host that somebody typed: from public addresses only, nothing followed, time and size
 * bounded (attack: server-side request forgery).
 */
import https from "node:https";
import { isPublicAddress } from "../protocol/public-address";
import type { NameResolver } from "./name-resolver";
import { checkedLookup } from "./public-lookup";

/** Milliseconds from the first packet to the last. */
const TIMEOUT = 5_000;
/** Bytes; a file that goes on is none of those we look for. */
const LARGEST = 4 * 1024;

export interface GetOptions {
  resolver: NameResolver;
  /** Which addresses may be connected to; those of the public internet. */
  isPermitted?: (address: string) => boolean;
  /** Certificates trusted beside those of the system, PEM; for tests. */
  ca?: string;
}

/** The file's text, or why there is none; never throws. */
export function getText(
  url: URL,
  { resolver, isPermitted = isPublicAddress, ca }: GetOptions,
): Promise<{ text: string } | { error: string }> {
  return new Promise((resolve) => {
    const request = https.get(url, {
      lookup: checkedLookup(resolver.addresses, isPermitted),
      agent: false, // a connection of its own: none that was opened to another address is used again
      signal: AbortSignal.timeout(TIMEOUT),
      headers: { accept: "text/plain", "user-agent": "identity-service" },
      ca,
    });
    request.on("error", (error) => resolve({ error: describe(error) }));
    request.on("response", (response) => {
      if (response.statusCode !== 200) {
        response.destroy();
        return resolve({ error: `it answered ${response.statusCode}` });
      }
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > LARGEST) response.destroy(new Error("the file is too large"));
      });
      response.on("error", (error) => resolve({ error: describe(error) }));
      response.on("end", () => resolve({ text: Buffer.concat(chunks).toString("utf8") }));
    });
  });
}

/** Nothing of what was read. */
function describe(error: Error): string {
  if (error.name === "AbortError" || error.name === "TimeoutError") return `no answer within ${TIMEOUT / 1000} s`;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `${error.message} (${code})`;
}
