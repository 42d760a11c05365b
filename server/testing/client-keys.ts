/** Keys with which clients of tests sign assertions and proofs. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from "jose";

export type ClientKey = Awaited<ReturnType<typeof newClientKey>>;

export async function newClientKey(alg: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { alg, privateKey, jwk, kid: await calculateJwkThumbprint(jwk) };
}

/** Returns the key for another algorithm of its type. */
export async function asAlgorithm(key: ClientKey, alg: string): Promise<ClientKey> {
  return { ...key, alg, privateKey: (await importJWK(await exportJWK(key.privateKey), alg)) as CryptoKey };
}
