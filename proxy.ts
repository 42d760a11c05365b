// Before Next renders a page of the console: whoever is not signed in is sent to sign in, and each answer gets a
// Content-Security-Policy with a nonce of its own. Our own listener asks the same gate before Next sees the request; then
// nothing is left to do here.
import { NextResponse } from "next/server";
import { runningService } from "./server/service/service";

/** Pages only: the application itself answers the other addresses, and Next copies the body of what stands here. */
export const config = { matcher: ["/console", "/console/((?!(?:sign-in|callback|sign-out|api)(?:/|$)).*)"] };

export async function proxy(request: Request): Promise<Response> {
  const service = runningService();
  if (!service.admit) return NextResponse.next();
  // Next would take any method for a page.
  if (request.method !== "GET" && request.method !== "HEAD") return service.fetch(request);
  const admission = await service.admit(request);
  if (!admission.admitted) {
    const { status, body } = admission;
    const headers = new Headers(admission.headers);
    const location = headers.get("location");
    // Next wants the whole address, and makes it relative again.
    if (location !== null) headers.set("location", new URL(location, request.url).href);
    return new Response(body, { status, headers });
  }
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(admission.requestHeaders)) headers.set(name, value);
  return NextResponse.next({ request: { headers }, headers: admission.responseHeaders });
}
