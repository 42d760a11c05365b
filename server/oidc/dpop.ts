/**
 * DPoP proofs of requests (RFC 9449, rule TOKEN-8): signature, claims, nonce and single use. A proof is valid once on
 * all nodes, because its `jti` is stored like that of an assertion.
 */
import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint, compactVerify, EmbeddedJWK, type JWK } from "jose";
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { verifiesJws } from "../keys/sign-jwt";
import type { Client, SigningAlgorithm } from "../protocol/client";
import type { ClientCertificate } from "../protocol/client-certificate";
import { isCompactJws } from "../protocol/compact-jws";
import { dpopAlgorithms, PROOF_WINDOW, proofProblem } from "../protocol/dpop";
import { isAllowedAlgorithm } from "../protocol/fapi";
import { invalidDpopProof, invalidToken, isError, nonceRequired, type OAuthError } from "../protocol/oauth-error";
import { confirmationOf } from "../protocol/token-binding";
import { consumeAssertion } from "../storage/grant/assertions";
import { usedAssertion } from "./assertions";

/** Characters; enough for a key of 4096 bits. */
const MAX_PROOF_LENGTH = 8_192;
/** How long a nonce can be used, in milliseconds. */
const NONCE_LIFETIME = 5 * 60_000;

interface KnownKey {
  key: KeyObject;
  jkt: string;
  algorithm: SigningAlgorithm;
}

/**
 * Keys whose proofs were valid, by the header of the proof in base64url, which is the same in all proofs of a client:
 * importing a key and its thumbprint take longer than verifying the signature. Bounded, as anyone can make keys.
 */
const knownKeys = new Map<string, KnownKey>();
const MAX_KNOWN_KEYS = 1_000;

/** The request that a proof is about. */
export interface ProvenRequest {
  /** The header `DPoP`; several are joined by commas, which no proof contains. */
  dpop: string | undefined;
  method: string;
  /** The path within the service. */
  path: string;
  /** The client's certificate, if the connection or a trusted proxy has one. */
  certificate?: ClientCertificate;
}

/** A proof whose signature and claims are valid; it may have been used before. */
export interface KeyProof {
  /** The thumbprint of the key (RFC 7638), as in `cnf.jkt`. */
  jkt: string;
  jti: string;
  algorithm: string;
  nonce: string | undefined;
  /** Epoch milliseconds from which the proof is too old, so that its `jti` need not be remembered. */
  refusedFrom: number;
}

/**
 * Returns the proof of a request; undefined if the request has none.
 * @param accessToken the token that is sent with it, at a protected resource
 */
export async function readProof(
  ctx: Context,
  { dpop, method, path }: ProvenRequest,
  accessToken?: string,
): Promise<KeyProof | undefined | OAuthError> {
  if (dpop === undefined) return undefined;
  const refuse = (problem: string, cause?: unknown) =>
    invalidDpopProof(`the DPoP proof is not valid: ${problem}`, { cause });
  if (dpop.length > MAX_PROOF_LENGTH) return refuse("it is too long");
  if (!isCompactJws(dpop)) return refuse("it is not one JWT");
  const now = ctx.clock();
  try {
    const [header = "", content = ""] = dpop.split(".");
    const known = knownKeys.get(header);
    const signer = known ?? (await signerOf(dpop));
    if (!signer || (known && !verifiesJws(dpop, known.algorithm, known.key))) return refuse(UNSIGNED);
    const payload: unknown = JSON.parse(Buffer.from(content, "base64url").toString("utf8"));
    if (typeof payload !== "object" || payload === null) return refuse(UNSIGNED);
    const claims = payload as Readonly<Record<string, unknown>>;
    const { baseUrl, mtls } = ctx.config;
    const urls = [baseUrl, mtls.url ?? baseUrl].map((base) => `${base}${path}`);
    const problem = proofProblem(claims, { method, urls, now, accessToken });
    if (problem !== undefined) return refuse(problem);
    if (!known && knownKeys.size >= MAX_KNOWN_KEYS) knownKeys.delete(knownKeys.keys().next().value ?? "");
    if (!known) knownKeys.set(header, signer);
    const { jkt, algorithm } = signer;
    const nonce = typeof claims.nonce === "string" ? claims.nonce : undefined;
    return { jkt, jti: String(claims.jti), algorithm, nonce, refusedFrom: Number(claims.iat) * 1000 + PROOF_WINDOW };
  } catch (cause) {
    return refuse(UNSIGNED, cause);
  }
}

const UNSIGNED = "typ, alg, jwk or the signature is wrong";

/** Verifies a proof with the key in its header, and returns that; undefined if it is a JWT of another type. */
async function signerOf(dpop: string): Promise<KnownKey | undefined> {
  const { protectedHeader } = await compactVerify(dpop, EmbeddedJWK, { algorithms: [...dpopAlgorithms] });
  const { typ = "", alg, jwk } = protectedHeader;
  if (!/^(application\/)?dpop\+jwt$/i.test(typ)) return undefined;
  const key = createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
  return { key, jkt: await calculateJwkThumbprint(jwk as JWK), algorithm: alg as SigningAlgorithm };
}

/** Returns the row that marks a proof as used, in the unit of what is issued for it. */
export const proofUse = ({ jkt, jti, refusedFrom }: KeyProof) => ({
  id: usedAssertion("proof", jkt, jti),
  expiresAt: refusedFrom,
});

export const proofUsedBefore = () => invalidDpopProof("the DPoP proof was used before"); // §11.1

/** Consumes a proof. Returns an error if it was used before. */
async function consumeProof(ctx: Context, proof: KeyProof): Promise<OAuthError | undefined> {
  const { id, expiresAt } = proofUse(proof);
  return (await consumeAssertion(ctx.db, id, expiresAt)) ? undefined : proofUsedBefore();
}

/** Returns the error that tells the client a nonce (§8), unless the proof has a valid one. */
export function checkProofNonce(ctx: Context, proof: KeyProof): OAuthError | undefined {
  if (proof.nonce !== undefined && isOwnNonce(ctx, proof.nonce)) return undefined;
  return { ...nonceRequired("put the nonce of the header DPoP-Nonce into the proof"), dpopNonce: newNonce(ctx) };
}

/** Returns a nonce that every node accepts: a time with its MAC. */
function newNonce(ctx: Context): string {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(ctx.clock()));
  return Buffer.concat([time, ctx.secrets.mac("dpop-nonce", time)]).toString("base64url");
}

function isOwnNonce(ctx: Context, nonce: string): boolean {
  const bytes = Buffer.from(nonce, "base64url");
  if (bytes.length !== 40) return false;
  const time = bytes.subarray(0, 8);
  const age = ctx.clock() - Number(time.readBigUInt64BE());
  return Math.abs(age) <= NONCE_LIFETIME && ctx.secrets.verifyMac("dpop-nonce", time, bytes.subarray(8));
}

/** Returns the error for a proof whose algorithm the client's profile excludes. */
export function checkProofAlgorithm(client: Pick<Client, "profile">, { algorithm }: KeyProof): OAuthError | undefined {
  const isAllowed = isAllowedAlgorithm(client, algorithm);
  return isAllowed ? undefined : invalidDpopProof(`the profile of this client excludes ${algorithm}`);
}

/** Returns the thumbprint that tokens are bound to; undefined without a proof. Consumes the proof. */
export async function provenKey(ctx: Context, proof: KeyProof | undefined): Promise<string | undefined | OAuthError> {
  return proof && ((await consumeProof(ctx, proof)) ?? proof.jkt);
}

/**
 * Returns why a valid access token is refused because of how it was sent, or undefined: a token that is bound to a key
 * needs a proof of it, and is not accepted as a bearer token (§7.1, §7.2, rule USERINFO-3); one that is bound to a
 * certificate needs that certificate (RFC 8705 §3).
 */
export async function checkPossession(
  ctx: Context,
  request: ProvenRequest,
  { scheme, token }: { scheme: "Bearer" | "DPoP"; token: string },
  { jkt: binding, clientId }: { jkt: string | null; clientId: string },
): Promise<OAuthError | undefined> {
  const refuse = (description: string) => ({ ...invalidDpopProof(description), status: 401 });
  const { jkt: bound, "x5t#S256": certificate } = confirmationOf(binding) ?? {};
  if (certificate !== undefined && certificate !== request.certificate?.thumbprint) {
    return invalidToken("the access token is bound to a client certificate that the request does not have");
  }
  if (scheme === "Bearer") {
    if (bound === undefined) return undefined;
    return { ...invalidToken("the access token is bound to a key; send it with a DPoP proof"), scheme: "DPoP" };
  }
  if (bound === undefined) return refuse("the access token is not bound to a key; send it as a bearer token");
  const proof = await readProof(ctx, request, token);
  if (proof === undefined) return refuse("the DPoP proof is missing");
  if (isError(proof)) return { ...proof, status: 401 };
  if (proof.jkt !== bound) return refuse("the DPoP proof is of another key than the one of the access token");
  // Only this algorithm depends on the client, so that other requests need not look it up.
  const client = proof.algorithm === "RS256" ? await findClient(ctx, clientId) : undefined;
  const used = (client && checkProofAlgorithm(client, proof)) ?? (await consumeProof(ctx, proof));
  return used && { ...used, status: 401 };
}
