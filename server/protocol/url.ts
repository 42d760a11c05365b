/** Parses a URL; returns undefined if it is not valid. Choice: not `URL.parse`, which supported browsers may lack. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
