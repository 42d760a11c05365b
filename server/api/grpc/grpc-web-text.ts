/**
 * gRPC-Web in base64 (`application/grpc-web-text`), as the older JavaScript clients send it by default: decoded on the
 * way in, encoded on the way out; in between it is gRPC-Web like any other.
 */
const TEXT = /^application\/grpc-web-text(?:\+proto)?(?:$|;)/i;

export const isGrpcWebText = (contentType: string | null): boolean => TEXT.test(contentType ?? "");

/** No frame: what a body that is not base64 is read as. */
const UNREADABLE = Buffer.of(0);

/** Converts the request to binary gRPC-Web. */
export async function binaryRequest(request: Request): Promise<Request> {
  const text = (await request.text()).replace(/\s/g, "");
  // Several pieces may follow each other, each with padding of its own ("message frames … base64 encoded
  // individually").
  const isBase64 = /^[A-Za-z0-9+/=]*$/.test(text);
  const pieces = text.split(/(?<==)(?=[A-Za-z0-9+/])/).map((piece) => Buffer.from(piece, "base64"));
  const headers = new Headers(request.headers);
  headers.set("content-type", "application/grpc-web+proto");
  headers.delete("content-length");
  return new Request(request.url, {
    method: request.method,
    headers,
    body: isBase64 ? Buffer.concat(pieces) : UNREADABLE,
    signal: request.signal,
  });
}

/** Converts the response to base64. */
export async function textResponse(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.set("content-type", "application/grpc-web-text+proto");
  headers.delete("content-length");
  const body = Buffer.from(await response.arrayBuffer()).toString("base64");
  return new Response(body, { status: response.status, headers });
}
