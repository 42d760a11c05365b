/**
 * Request objects (RFC 9101, OIDC Core §6): an authorization request as a JWT that the client signed, so that it
 * cannot be changed between client and service. Only clients with registered keys can send them. Attacks: a request
 * object used as a client assertion or the other way round (RFC 9101 §10.8), unsigned ones, and parameters beside it
 * that replace those in it (§6.3).
 */
import { decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import type { Context } from "../context";
import type { Client } from "../protocol/client";
import { assertionAlgorithms } from "../protocol/client-credentials";
import { isCompactJws } from "../protocol/compact-jws";
import { fapiAlgorithms } from "../protocol/fapi";
import {
  about,
  invalidRequest,
  invalidRequestObject,
  invalidRequestUri,
  isError,
  type OAuthError,
  requestNotSupported,
  requestUriNotSupported,
} from "../protocol/oauth-error";
import { type Parameters, parametersFrom, type UnreadableParameters } from "../protocol/parameters";
import { keysOf } from "./published-keys";
import { fetchRequestObject } from "./request-reference";

/** The tolerated clock difference, in seconds. */
const CLOCK_TOLERANCE = 60;
/** How long a request object of a client with a profile may be valid, in seconds (FAPI 2.0 Message Signing §5.3.2). */
const MAX_LIFETIME = 3600;

/** Registered JWT claims, which are not parameters (RFC 7519 §4.1). */
const JWT_CLAIMS: ReadonlySet<string> = new Set(["iss", "aud", "exp", "iat", "nbf", "jti"]);
/** Parameters that a request object must not contain (RFC 9101 §4, OIDC Core §6.1). */
const FORBIDDEN = ["request", "request_uri"] as const;

/** Whether the client can sign request objects. */
const canSign = ({ jwks, jwksUri }: Client): boolean => (jwks?.keys.length ?? 0) > 0 || jwksUri !== undefined;

/**
 * Returns the parameters in the request object of a request, by value or by reference; those beside it are ignored (RFC
 * 9101 §6.3). Without a request object, returns the parameters unchanged.
 * @returns if the object is refused, the error with the parameters beside it, which decide where the error is sent
 */
export async function openRequestObject(
  ctx: Context,
  client: Client,
  parameters: Parameters,
): Promise<Parameters | UnreadableParameters> {
  const sent = parameters.has("request_uri") && client.requestUris.length > 0 ? "request_uri" : "request";
  const refuse = (error: OAuthError): UnreadableParameters => ({ ...about(sent, error), readable: parameters });
  const object = sent === "request" ? parameters.get("request") : await objectByReference(ctx, client, parameters);
  if (isError(object)) return refuse(object);
  if (object === undefined) {
    if (!client.requireSignedRequestObject) return parameters;
    return refuse(invalidRequestObject("this client must sign its authorization requests"));
  }
  if (parameters.repeated("request") !== undefined) return refuse(invalidRequestObject("request is repeated"));
  if (!canSign(client)) return refuse(requestNotSupported("request objects are for clients with registered keys"));
  const payload = await verified(ctx, client, object);
  if (typeof payload === "string") return refuse(invalidRequestObject(`the request object is not valid: ${payload}`));
  return parametersFrom([["client_id", client.clientId], ...pairsOf(payload)]);
}

/** Returns the object at a registered request_uri (§5.2). */
async function objectByReference(ctx: Context, client: Client, parameters: Parameters): Promise<string | OAuthError> {
  const uri = parameters.get("request_uri") ?? "";
  if (parameters.repeated("request_uri") !== undefined) return invalidRequestUri("request_uri is repeated");
  if (parameters.has("request")) return invalidRequest("request and request_uri exclude each other"); // §5
  if (!client.requestUris.includes(uri)) return invalidRequestUri("request_uri is not registered");
  if (!canSign(client)) return requestUriNotSupported("request objects are for clients with registered keys");
  return fetchRequestObject(ctx, client, uri);
}

/** Returns the payload, or what is wrong with the object. */
async function verified(ctx: Context, client: Client, object: string): Promise<JWTPayload | string> {
  if (!isCompactJws(object)) return "it is not a signed JWT";
  const { clientId, profile, requestObjectAlgorithm: registered } = client;
  const now = ctx.clock();
  let payload: JWTPayload;
  try {
    const { typ } = decodeProtectedHeader(object);
    // A profile requires iss and aud; otherwise they should be there, and are checked if they are (OIDC Core §6.1).
    const { iss, aud } = decodeJwt(object);
    const needs = (claim: unknown) => profile !== undefined || claim !== undefined;
    if (!/^((application\/)?oauth-authz-req\+)?jwt$/i.test(typ ?? "JWT")) return "it is a token of another kind";
    ({ payload } = await jwtVerify(object, keysOf(ctx, client), {
      algorithms: registered ? [registered] : [...(profile === undefined ? assertionAlgorithms : fapiAlgorithms)],
      ...(needs(iss) && { issuer: clientId }),
      ...(needs(aud) && { audience: ctx.config.baseUrl }),
      requiredClaims: profile === undefined ? [] : ["exp", "nbf"],
      currentDate: new Date(now),
      clockTolerance: CLOCK_TOLERANCE,
    }));
  } catch (cause) {
    ctx.log.debug({ err: cause, clientId }, "request object refused");
    return "signature, algorithm, iss, aud or times are wrong";
  }
  if (payload.client_id !== undefined && payload.client_id !== clientId) return "its client_id is another one";
  if (payload.sub === clientId) return "its sub makes it a client assertion";
  const forbidden = FORBIDDEN.find((name) => name in payload);
  if (forbidden !== undefined) return `it contains ${forbidden}`;
  if (profile === undefined) return payload;
  const { nbf = 0, exp = 0 } = payload;
  if (now / 1000 - nbf > MAX_LIFETIME) return "its nbf is more than an hour ago";
  return exp - nbf > MAX_LIFETIME ? "it is valid for more than an hour" : payload;
}

/** Returns claims as parameters: numbers and objects as the query would contain them, arrays as repetitions. */
function pairsOf(payload: JWTPayload): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (const [name, value] of Object.entries(payload)) {
    if (JWT_CLAIMS.has(name) || name === "sub" || name === "client_id" || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      pairs.push([name, typeof one === "string" ? one : JSON.stringify(one)]);
    }
  }
  return pairs;
}
