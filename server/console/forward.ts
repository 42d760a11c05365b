/**
 * Forwards requests from the console to the management APIs: to the same operations that a bearer token would reach,
 * with the token of the console's own sign-in. Pages rendered here and scripts in the browser both use it.
 */

import type { ConsoleSession } from "../http/console-session";
import type { Env } from "../http/env";

/** The whole application. */
export type Dispatch = (request: Request, bindings?: Env["Bindings"]) => Response | Promise<Response>;

export interface Forwarded {
  method: string;
  /** The address of the operation, with its query. */
  url: string;
  headers: Headers;
  body?: BodyInit;
}

export function forward(
  dispatch: Dispatch,
  { accessToken }: ConsoleSession,
  { url, headers, ...request }: Forwarded,
  bindings: Env["Bindings"] = {},
): Response | Promise<Response> {
  headers.set("authorization", `Bearer ${accessToken}`);
  return dispatch(new Request(url, { ...request, headers }), { ...bindings, isFromConsole: true });
}
