// Parses an address by the URL standard; undefined if it is invalid. A copy of server/protocol/url.ts with the same
// reason (URL.canParse is wrong in Node 20), because code for browsers imports nothing from the server.
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
