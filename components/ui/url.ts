// An address as the URL standard reads it; undefined for what is none. The same as server/protocol/url.ts and for the
// same reason (URL.canParse is wrong in Node 20); what runs in browsers imports nothing of the server.
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
