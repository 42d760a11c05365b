/**
 * Signing keys for the services of tests. An RSA key takes a quarter of a second to find, and a run starts hundreds of
 * services, so each process finds a few and gives them out in turn; under ids of their own, as every key has.
 */
import { newKeyPair } from "../keys/key-ring";
import type { SigningAlgorithm } from "../protocol/client";

/** As many in a row are different: a service has two, and more for a while when it rotates them. */
const POOL = 4;

const found: Promise<CryptoKeyPair>[] = [];
let given = 0;

/** What `Context.keyPair` is in tests. */
export function testKeyPair(algorithm: SigningAlgorithm): Promise<CryptoKeyPair> {
  if (algorithm !== "RS256") return newKeyPair(algorithm); // takes a millisecond
  const place = given++ % POOL;
  const pair = found[place] ?? newKeyPair(algorithm);
  found[place] = pair;
  return pair;
}
