/**
 * An address as the URL standard reads it; undefined for what is none. Not `URL.canParse`: in Node 20 it refuses
 * addresses with letters like ü as soon as V8 has compiled whoever asks, that is after some thousand requests.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
