// How scripts of the console's pages reach the APIs: the cookie says who, the page's token says that it was this page.
// A token that has run out is renewed once without the person noticing; whoever was signed out is sent to sign in.
import { organizationOf } from "./pages";
import { type Answer, readAnswer } from "./refusal";

export interface CallOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** The organization meant (`x-service-orgid`); that of the page's address where it is left out. */
  organizationId?: string;
  /** The state that is to be changed, as its ETag said (RFC 9110 §13.1.1). */
  ifMatch?: string;
  /** Ends the request where nobody waits for the answer any more. */
  signal?: AbortSignal;
}

/** @param path of the operation, as in `/admin/v1/…` */
export async function callConsole<T = unknown>(
  method: string,
  path: string,
  options?: CallOptions,
): Promise<Answer<T>> {
  return readAnswer(await sendToConsole(method, path, options));
}

/** The same for answers that are no JSON. */
export async function sendToConsole(method: string, path: string, options?: CallOptions): Promise<Response> {
  const first = await send(method, path, options);
  if (first.status !== 401) return first;
  const renewed = await fetch("/console/sign-in?for=script");
  if (renewed.ok) return send(method, path, options);
  const here = location.pathname + location.search;
  location.assign(`/console/sign-in?to=${encodeURIComponent(here)}`);
  return first;
}

/** What says that it was this page. It stands on the body: what Next keeps in the head comes and goes with refreshes. */
export const pageToken = (): string => document.body.dataset.csrf ?? "";

function send(
  method: string,
  path: string,
  { body, organizationId, ifMatch, signal }: CallOptions = {},
): Promise<Response> {
  const token = pageToken();
  const headers = new Headers({ "x-csrf-token": token });
  const organization = organizationId ?? organizationOf(location.pathname);
  if (organization !== undefined) headers.set("x-service-orgid", organization);
  if (ifMatch !== undefined) headers.set("if-match", ifMatch);
  if (body !== undefined) headers.set("content-type", "application/json");
  const json = body === undefined ? undefined : JSON.stringify(body);
  return fetch(`/console/api${path}`, { method, headers, body: json, signal });
}
