// How scripts of the console's pages call the APIs: the cookie identifies the person, and the page's token proves that
// the request comes from our page. An expired token is renewed silently; people who were signed out are sent to the
// sign-in page.
import { type AnswerOf, type Arguments, addressOf, type Declared, type OperationName } from "./declared";
import { organizationInPath } from "./pages";
import { type Answer, readAnswer } from "./refusal";

export interface CallOptions {
  /** The organization (`x-service-orgid`); by default that of the page's address. */
  organizationId?: string;
  /** The ETag of the state that is to be changed (RFC 9110 §13.1.1). */
  ifMatch?: string;
  /** Cancels the request if nobody waits for the answer any more. */
  signal?: AbortSignal;
}

interface SendOptions extends CallOptions {
  /** Sent as JSON. */
  body?: unknown;
}

/** Performs an operation. Rejects if there is no answer. */
export async function callOperation<Name extends OperationName>(
  operation: Declared<Name>,
  ...[request]: Arguments<Name, CallOptions>
): Promise<Answer<AnswerOf<Name>>> {
  return readAnswer(await sendOperation(operation, ...([request] as Arguments<Name, CallOptions>)));
}

/** The same for answers that are not JSON. */
export function sendOperation<Name extends OperationName>(
  operation: Declared<Name>,
  ...[request]: Arguments<Name, CallOptions>
): Promise<Response> {
  return sendToConsole(operation.method, addressOf(operation, request?.at, request?.query), request);
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
 * Once for all who wait for it: of two at a time, the later would end the earlier, as a browser has one sign-in under way.
 * @returns whether the console knows again who is there, without asking them anything
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
 * The page's token. It is an attribute of the body, as Next changes the content of the head when pages are refreshed.
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
  const json = body === undefined ? undefined : JSON.stringify(body);
  return fetch(`/console/api${path}`, { method, headers, body: json, signal });
}
