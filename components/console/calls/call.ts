// Calls the APIs from scripts of the console's pages. The cookie identifies the user, and the page's CSRF token proves
// that the request comes from our page. An expired token is renewed silently; signed-out users are redirected to the
// sign-in page.
import { type AnswerOf, type Arguments, addressOf, type Declared, type OperationName } from "../../../shared/declared";
import { organizationInPath } from "../../../shared/pages";
import { type Answer, readAnswer } from "../../../shared/refusal";

export interface CallOptions {
  /** The organization (`x-service-orgid`); defaults to that of the page's address. */
  organizationId?: string;
  /** The ETag of the state to change (RFC 9110 §13.1.1). */
  ifMatch?: string;
  /** Cancels the request when its result is no longer needed. */
  signal?: AbortSignal;
}

interface SendOptions extends CallOptions {
  /** Sent as JSON. */
  body?: unknown;
}

/** Performs an operation. Rejects if there is no response. */
export async function callOperation<Name extends OperationName>(
  operation: Declared<Name>,
  ...[request]: Arguments<Name, CallOptions>
): Promise<Answer<AnswerOf<Name>>> {
  return readAnswer(await sendOperation(operation, ...([request] as Arguments<Name, CallOptions>)));
}

/** Performs an operation whose response is not JSON. */
export function sendOperation<Name extends OperationName>(
  operation: Declared<Name>,
  ...[request]: Arguments<Name, CallOptions>
): Promise<Response> {
  return sendToConsole(operation.method, addressOf(operation, request?.at, request?.query), request);
}

/** The last part of the path of operations that change nothing although they are not read with GET. */
const READING = /\/(?:_search|search|_preview|_render|_check\w*|_test_mapping|authorize_check|_export)$/;

let hasSentChange = false;

/** Returns whether a change was sent since the last call: pages that the browser keeps may be outdated then. */
export function takeSentChange(): boolean {
  const taken = hasSentChange;
  hasSentChange = false;
  return taken;
}

async function sendToConsole(method: string, path: string, options?: SendOptions): Promise<Response> {
  const first = await send(method, path, options);
  if (first.status !== 401) return first;
  if (await renewSession()) return send(method, path, options);
  const here = location.pathname + location.search;
  location.assign(`/console/sign-in?to=${encodeURIComponent(here)}`);
  return first;
}

let renewing: Promise<boolean> | undefined;

/**
 * Renews the session once for all callers: a browser has one sign-in in progress, so a second one would end the first.
 * @returns whether the console recognizes the user again without interaction
 */
export function renewSession(): Promise<boolean> {
  renewing ??= fetch("/console/sign-in?for=script")
    .then(({ ok }) => ok)
    .finally(() => {
      renewing = undefined;
    });
  return renewing;
}

/**
 * Returns the page's CSRF token. It is an attribute of the body because Next.js changes the head when it refreshes a
 * page.
 */
export const pageToken = (): string => document.body.dataset.csrf ?? "";

function send(
  method: string,
  path: string,
  { body, organizationId, ifMatch, signal }: SendOptions = {},
): Promise<Response> {
  const token = pageToken();
  const headers = new Headers({ "x-csrf-token": token });
  const organization = organizationId ?? organizationInPath(location.pathname);
  if (organization !== undefined) headers.set("x-service-orgid", organization);
  if (ifMatch !== undefined) headers.set("if-match", ifMatch);
  if (body !== undefined) headers.set("content-type", "application/json");
  if (method !== "GET" && !READING.test(path.split("?", 1)[0] ?? "")) hasSentChange = true;
  const json = body === undefined ? undefined : JSON.stringify(body);
  return fetch(`/console/api${path}`, { method, headers, body: json, signal });
}
