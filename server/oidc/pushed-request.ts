/**
 * The life of a pushed authorization request (RFC 9126): stored for a minute until a browser opens it, then as long as
 * a sign-in may take, so that pages can be reloaded, and consumed when the sign-in ends (rule AUTHORIZE-14).
 */
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { randomSecret } from "../crypto/random";
import { playgroundRedirectUri } from "../directory/app/playground";
import { readSecuritySettings } from "../directory/instance-settings";
import type { Client } from "../protocol/client";
import { about, invalidRequest, invalidRequestUri, isError, type OAuthError } from "../protocol/oauth-error";
import { type Parameters, parseParameters } from "../protocol/parameters";
import { secretOfRequestUri } from "../protocol/pushed-request";
import { consumeAssertion } from "../storage/grant/assertions";
import {
  consumePushedRequest,
  findPushedRequest,
  insertPushedRequest,
  openPushedRequest,
} from "../storage/grant/pushed-requests";
import { type ApplicationFlow, FLOW_LIFETIME } from "./flow";

/** How long a pushed request waits for a browser, in milliseconds. */
export const PUSHED_REQUEST_LIFETIME = 60_000;

/** A pushed request that a browser has opened. */
export interface OpenedRequest {
  secret: string;
  parameters: Parameters;
}

/**
 * Returns the error of an authorization request that was not pushed if it must be (RFC 9126 §5, rule AUTHORIZE-15). The
 * console and its playground are exceptions: this service writes their requests itself.
 */
export async function checkMayComeByBrowser(
  ctx: Context,
  client: Pick<Client, "requirePushedAuthorizationRequests" | "standing">,
  redirectUri: string,
): Promise<OAuthError | undefined> {
  if (client.standing === "service" || redirectUri === playgroundRedirectUri(ctx)) return undefined;
  const wrong = (who: string) =>
    about("request_uri", invalidRequest(`${who} must push its authorization requests (RFC 9126)`));
  if (client.requirePushedAuthorizationRequests) return wrong("this application");
  const { requirePushedAuthorizationRequests } = await readSecuritySettings(ctx);
  return requirePushedAuthorizationRequests ? wrong("every application of this service") : undefined;
}

/** Stores the parameters of a request. Returns the random part of its `request_uri`. */
export async function keepRequest(ctx: Context, clientId: string, parameters: string): Promise<string> {
  const secret = randomSecret();
  const expiresAt = ctx.clock() + PUSHED_REQUEST_LIFETIME;
  await insertPushedRequest(ctx.db, { id: digest(secret), clientId, parameters, expiresAt });
  return secret;
}

/**
 * Returns the pushed request that `request_uri` names. All other parameters but client_id are ignored (RFC 9101 §6.3).
 * Every failure looks the same to another client, which must not learn what exists (RFC 9126 §7.1).
 */
export async function openRequest(ctx: Context, parameters: Parameters): Promise<OpenedRequest | OAuthError> {
  const clientId = parameters.get("client_id");
  if (clientId === undefined) return invalidRequest("client_id is missing");
  const repeated = parameters.repeated("client_id", "request_uri");
  if (repeated !== undefined) return invalidRequest(`${repeated} is repeated`);
  const secret = secretOfRequestUri(parameters.get("request_uri") ?? "");
  const now = ctx.clock();
  const id = secret === undefined ? undefined : digest(secret);
  const found = id === undefined ? undefined : await findPushedRequest(ctx.db, id, now);
  if (secret === undefined || id === undefined || found?.clientId !== clientId) {
    return invalidRequestUri("request_uri is unknown, has expired or was used before; return to the application");
  }
  const pushed = parseParameters(found.parameters);
  if (isError(pushed)) throw new Error("a stored request cannot be read");
  if (!found.isOpened) await openPushedRequest(ctx.db, id, now, now + FLOW_LIFETIME);
  return { secret, parameters: pushed };
}

/**
 * Ends the sign-in of a request that is answered only once: one that was pushed, or that a login of its own answers.
 * Returns false if it ended before; true for other requests.
 */
export async function endRequest(
  ctx: Context,
  { request: { pushed }, onceId, startedAt }: Pick<ApplicationFlow, "request" | "onceId" | "startedAt">,
): Promise<boolean> {
  const isFirst = onceId === undefined || (await consumeAssertion(ctx.db, onceId, startedAt + 2 * FLOW_LIFETIME));
  return isFirst && (pushed === undefined || consumePushedRequest(ctx.db, digest(pushed), ctx.clock()));
}
