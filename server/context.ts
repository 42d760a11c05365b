/**
 * The first argument of every use case: the outside world, opened once at start and passed down. The clock is part of
 * it, so that tests can move time instead of waiting.
 */
import type { Logger } from "pino";
import type { Config } from "./config";
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
  /** Which answers with refresh tokens this process has given. */
  refreshAnswers: RefreshAnswers;
  /** Replaces the machine's domain name system, in tests. */
  resolver?: NameResolver;
  /** Waits that many milliseconds. Replaces the timer, in tests of everything but how long an answer takes. */
  pause?: (ms: number) => Promise<unknown>;
  /** Replaces the making of a signing key, which takes a quarter of a second, in tests of everything but the keys. */
  keyPair?: (algorithm: SigningAlgorithm) => Promise<CryptoKeyPair>;
}
