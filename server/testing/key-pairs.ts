/**
 * Signing keys for the services of tests. Generating an RSA key takes a quarter of a second, and a run starts hundreds
 * of services, so each process generates a few and reuses them in turn under new ids.
 */
import { newKeyPair } from "../keys/key-ring";
import type { SigningAlgorithm } from "../protocol/client";

/** The number of different keys in a row: a service has two, and more for a while when it rotates them. */
const POOL = 4;

const found: Promise<CryptoKeyPair>[] = [];
let given = 0;

/** Implements `Context.keyPair` in tests. */
export function testKeyPair(algorithm: SigningAlgorithm): Promise<CryptoKeyPair> {
  if (algorithm !== "RS256") return newKeyPair(algorithm); // takes a millisecond
  const place = given++ % POOL;
  const pair = found[place] ?? newKeyPair(algorithm);
  found[place] = pair;
  return pair;
}
