// Runs before Next renders a page of the console: redirects visitors without a session to the sign-in, and adds a
// Content-Security-Policy with a fresh nonce to each response. Our own listener applies the same gate before Next
// receives the request; then nothing remains to do here.
import { NextResponse } from "next/server";
import { runningService } from "./server/service/service";

/** Pages only: the application serves the other addresses, and Next copies the body of the requests that match. */
export const config = { matcher: ["/console", "/console/((?!(?:sign-in|callback|sign-out|api)(?:/|$)).*)"] };

export async function proxy(request: Request): Promise<Response> {
  const service = runningService();
  if (!service.admit) return NextResponse.next();
  // Next would accept any method for a page.
  if (request.method !== "GET" && request.method !== "HEAD") return service.fetch(request);
  const admission = await service.admit(request);
  if (!admission.admitted) {
    const { status, body } = admission;
    const headers = new Headers(admission.headers);
    const location = headers.get("location");
    // Next expects the whole address, and makes it relative again.
    if (location !== null) headers.set("location", new URL(location, request.url).href);
    return new Response(body, { status, headers });
  }
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(admission.requestHeaders)) headers.set(name, value);
  return NextResponse.next({ request: { headers }, headers: admission.responseHeaders });
}
