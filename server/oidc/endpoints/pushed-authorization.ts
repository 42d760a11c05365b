/**
 * Pushed authorization request endpoint (RFC 9126 §2): a client sends its authorization request directly, authenticated
 * as at the token endpoint, and gets a reference for the browser. The request is checked completely before it is
 * stored, so that mistakes reach the developer instead of the user.
 */
import type { Context } from "../../context";
import { parseAuthorizationRequest, readRedirectTarget } from "../../protocol/authorization-request";
import { clientAuthenticationMethods } from "../../protocol/client";
import {
  invalidDpopProof,
  invalidRequest,
  isError,
  type OAuthError,
  tooManyRequests,
  unauthorizedClient,
} from "../../protocol/oauth-error";
import { type Parameters, parametersFrom } from "../../protocol/parameters";
import { pushedParameters, requestUriOf } from "../../protocol/pushed-request";
import { matchRedirectUri } from "../../protocol/redirect-uri";
import { counter, countFailures, limits, networkOf, secondsUntil } from "../../throttle";
import { authenticateClient, type OAuthHttpRequest } from "../client-authentication";
import { provenKey } from "../dpop";
import { tokenProof } from "../grants/grant";
import { keepRequest, PUSHED_REQUEST_LIFETIME } from "../pushed-request";
import { openRequestObject } from "../request-object";
import { findRequestTargets } from "../resources";

export interface PushedAuthorizationResponse {
  request_uri: string;
  /** Seconds until the request must be opened in a browser. */
  expires_in: number;
}

/** @param address of the client, for the limit of clients that do not authenticate */
export async function pushAuthorization(
  ctx: Context,
  http: OAuthHttpRequest,
  address: string | undefined,
): Promise<PushedAuthorizationResponse | OAuthError> {
  const { form } = http;
  // §2.1: a reference must not be pushed.
  if (form.has("request_uri")) return invalidRequest("request_uri cannot be pushed");
  const proof = await tokenProof(ctx, http);
  if (isError(proof)) return proof;
  const client = await authenticateClient(ctx, http, clientAuthenticationMethods);
  if (isError(client)) return client;
  if (client.kind !== "oidc") return unauthorizedClient("this client cannot sign users in");
  if (client.authenticationMethod === "none") {
    // Attack: filling the database with the id of a public client.
    const blockedUntil = await countFailures(ctx, [counter(limits.pushesFrom, networkOf(address))]);
    if (blockedUntil !== undefined)
      return tooManyRequests("too many requests were pushed from here; try again later", {
        retryAfter: secondsUntil(ctx, blockedUntil),
      });
  }
  const jkt = await provenKey(ctx, proof);
  if (isError(jkt)) return jkt;
  const pushed = await openRequestObject(ctx, client, form); // RFC 9126 §3
  if (isError(pushed)) return pushed;
  const named = pushed.get("dpop_jkt");
  if (jkt !== undefined && named !== undefined && named !== jkt) {
    return invalidDpopProof("the DPoP proof is of another key than dpop_jkt"); // RFC 9449 §10.1
  }
  const encoded = pushedParameters(pushed, client.clientId, jkt);
  const parameters: Parameters = parametersFrom(new URLSearchParams(encoded));
  const target = readRedirectTarget(parameters);
  if (isError(target)) return target;
  if (!matchRedirectUri(client, target.redirectUri)) return invalidRequest("redirect_uri is not registered");
  const targets = await findRequestTargets(ctx, client, parameters);
  const request = parseAuthorizationRequest(parameters, client, targets);
  if (isError(request)) return request;
  const secret = await keepRequest(ctx, client.clientId, encoded);
  return { request_uri: requestUriOf(secret), expires_in: PUSHED_REQUEST_LIFETIME / 1000 };
}
