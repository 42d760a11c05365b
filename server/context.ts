/**
 * The first argument of every use case: the dependencies on the outside world, opened once at start and passed down.
 * The clock is one of them, so that tests can move time instead of waiting.
 */
import type { Logger } from "pino";
import type { Config } from "./config/config";
import type { Secrets } from "./crypto/secrets";
import type { NameResolver } from "./net/name-resolver";
import type { SigningAlgorithm } from "./protocol/client";
import type { RefreshAnswers } from "./refresh-answers";
import type { Database } from "./storage/database";

export interface Context {
  db: Database;
  config: Config;
  secrets: Secrets;
  /** Epoch milliseconds. */
  clock: () => number;
  log: Logger;
  /** The answers with refresh tokens that this process has given. */
  refreshAnswers: RefreshAnswers;
  /** Replaces the name resolution of the machine, in tests. */
  resolver?: NameResolver;
  /** Waits a number of milliseconds. Replaces the timer in all tests except those of response times. */
  pause?: (ms: number) => Promise<unknown>;
  /** Replaces the creation of a signing key, which takes a quarter of a second, in all tests except those of keys. */
  keyPair?: (algorithm: SigningAlgorithm) => Promise<CryptoKeyPair>;
}
