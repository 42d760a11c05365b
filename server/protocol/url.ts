/**
 * Parses a URL; returns undefined if it is not valid. Does not use `URL.canParse`: in Node 20 it rejects URLs with
 * letters like ü once V8 has optimized the calling function, after some thousand requests.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
