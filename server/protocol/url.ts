/**
 * An address as the URL standard parses it; undefined if it is not one. Not `URL.canParse`: in Node 20 it refuses
 * addresses with letters like ü once V8 has optimized the calling function, that is after some thousand requests.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
