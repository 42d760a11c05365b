/**
 * Grant type jwt-bearer (RFC 7523 §2.1, the JWT profile of machines): a machine signs an assertion of its identity with
 * its registered key and gets tokens of its own. The assertion alone authenticates it; our own tokens are never
 * accepted as assertions, and those of identity providers are in identity-assertion.ts. One with a `jti` can be used
 * once (§3), which is enforced by the statement that stores the token.
 */
import { decodeJwt, decodeProtectedHeader } from "jose";
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { findKeyPublisher, findMachineKey, type MachineClient } from "../../directory/user/machine";
import { type JwtBearerRequest, jwtBearer, parseJwtBearer } from "../../protocol/grant-type";
import { invalidGrant, invalidRequest, isError, type OAuthError } from "../../protocol/oauth-error";
import { grantRow, insertByAssertion, type NewGrant } from "../../storage/grant/grant";
import { makeAccessToken } from "../access-tokens";
import { isBad, type KeySet, keySetOf, usedAssertion, type VerifiedAssertion, verifyAssertion } from "../assertions";
import type { EndpointPath, OAuthHttpRequest } from "../client-authentication";
import { lifetimesFor } from "../client-lifetimes";
import { type KeyProof, provenKey, readProof } from "../dpop";
import { ownScope, tokenClientOf } from "../machine-client";
import { isIdentityAssertion } from "../provider-assertions";
import { keysOf } from "../published-keys";
import { findOwnResources } from "../resources";
import { idTokenOfGrant, type TokenResponse, tokenResponse } from "../token-response";
import { machineOrAppAudience } from "./client-credentials";
import type { Grant } from "./grant";
import { identityAssertionGrant } from "./identity-assertion";

export const jwtBearerGrant: Grant = {
  grantType: jwtBearer,
  methods: [],
  parse: parseJwtBearer,
  async answer(ctx, http) {
    const request = parseJwtBearer(http.form);
    if (isError(request)) return request;
    if (isIdentityAssertion(request.assertion)) return identityAssertionGrant.answer(ctx, http);
    const refusal = checkNoCredentials(http);
    if (refusal) return refusal;
    const keyProof = await readProof(ctx, { dpop: http.dpop, method: "POST", path: http.path });
    return isError(keyProof) ? keyProof : issue(ctx, http, request, keyProof);
  },
};

/**
 * Rejects client credentials: RFC 7521 §4.1 requires that they are checked, but here there is no client to check them
 * for.
 */
function checkNoCredentials({ authorization, form }: OAuthHttpRequest): OAuthError | undefined {
  const sent = authorization !== undefined || form.has("client_secret") || form.has("client_assertion");
  return sent
    ? invalidRequest("this grant is authenticated by its assertion alone; send no client credentials")
    : undefined;
}

async function issue(
  ctx: Context,
  { path }: OAuthHttpRequest,
  request: JwtBearerRequest,
  keyProof: KeyProof | undefined,
): Promise<TokenResponse | OAuthError> {
  const proof = await verify(ctx, request.assertion, path);
  if (isError(proof)) return proof;
  // After the assertion: a stranger must not cause writes.
  const jkt = await provenKey(ctx, keyProof);
  if (isError(jkt)) return jkt;
  const { machine, assertion } = proof;
  const client = tokenClientOf(machine);
  const resources = await findOwnResources(ctx, request.resources, request.scope, client);
  if (isError(resources)) return resources;
  const scope = await ownScope(ctx, request.scope, client, resources);
  if (isError(scope)) return scope;

  const audience = machineOrAppAudience(client, scope, resources);
  // With openid the machine counts as signed in and may call userinfo, which needs a stored grant.
  const grant = scope.includes("openid") ? await newGrant(ctx, machine, scope, audience) : undefined;
  const subject = { userId: machine.userId, grantId: grant?.id ?? null, scope: scope.join(" "), audience, jkt };
  const accessToken = await makeAccessToken(ctx, client, subject);
  const used = assertion.jti === undefined ? undefined : usedAssertion("user", machine.userId, assertion.jti);
  const first = await insertByAssertion(ctx.db, {
    assertion: used === undefined ? undefined : { id: used, expiresAt: assertion.refusedFrom },
    grant,
    accessToken: accessToken.row,
  });
  if (!first) return invalidGrant("the assertion was used before"); // RFC 7523 §3, jti
  const idToken = grant && (await idTokenOfGrant(ctx, client, grant, { scope, accessToken: accessToken.token }));
  return tokenResponse(accessToken, idToken, undefined);
}

/** Verifies the assertion (RFC 7523 §3): issuer and subject are the machine's user id, the key is one of its own. */
async function verify(
  ctx: Context,
  jwt: string,
  path: EndpointPath,
): Promise<{ machine: MachineClient; assertion: VerifiedAssertion } | OAuthError> {
  const named = namesOf(jwt);
  if (!named) return invalidGrant("the assertion is not a JWT with kid, iss and sub");
  const found = await findSigner(ctx, named);
  if (!found) return invalidGrant("no active machine has this user id as iss and a key with this kid");
  const assertion = await verifyAssertion(ctx, jwt, {
    issuer: found.machine.userId,
    subject: found.machine.userId,
    keys: found.keys,
    endpoint: `${ctx.config.baseUrl}${path}`,
    legacyAssertionAudience: found.machine.legacyAssertionAudience,
    needsId: false,
  });
  if (isBad(assertion)) {
    return { ...invalidGrant(`the assertion is not valid: ${assertion.problem}`), cause: assertion.cause };
  }
  return { machine: found.machine, assertion };
}

/** Returns the machine and its keys: the registered one with this id, else those that it publishes. */
async function findSigner(
  ctx: Context,
  { userId, keyId }: { userId: string; keyId: string },
): Promise<{ machine: MachineClient; keys: KeySet } | undefined> {
  const registered = await findMachineKey(ctx, userId, keyId);
  if (registered) return { machine: registered.machine, keys: keySetOf({ keys: [registered.publicJwk] }) };
  const publisher = await findKeyPublisher(ctx, userId);
  if (!publisher) return undefined;
  const { machine, jwksUri } = publisher;
  return { machine, keys: keysOf(ctx, { jwks: null, jwksUri, devMode: true }) };
}

/** Returns the claims that identify the signer, before they are verified. */
function namesOf(jwt: string): { userId: string; keyId: string } | undefined {
  try {
    const { kid } = decodeProtectedHeader(jwt);
    const { iss } = decodeJwt(jwt);
    return typeof kid === "string" && typeof iss === "string" ? { userId: iss, keyId: kid } : undefined;
  } catch {
    return undefined; // not a JWT
  }
}

/** Returns a grant without refresh token, which ends with its access token. */
async function newGrant(
  ctx: Context,
  machine: MachineClient,
  scope: readonly string[],
  audience: string[],
): Promise<NewGrant> {
  const now = ctx.clock();
  return grantRow({
    id: newId(),
    clientId: machine.clientId,
    userId: machine.userId,
    sessionId: null,
    scope: scope.join(" "),
    audience: audience.join(" "),
    authTime: now,
    amr: "pop", // RFC 8176 §2: proof of possession of a key
    acr: null,
    createdAt: now,
    expiresAt: now + (await lifetimesFor(ctx, { lifetimes: {} })).accessToken,
  });
}
