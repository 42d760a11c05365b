/**
 * Password hashes made elsewhere. Only formats that the service can verify are accepted, and only within a cost limit,
 * because anyone who types a password for the user causes the computation (crypto/password-cost.ts, foreign-hash.ts).
 */
import { z } from "zod";
import { nameElsewhere } from "../../crypto/elsewhere";
import { MAX_FOREIGN_TIME, readForeignHash } from "../../crypto/foreign-hash";
import { costOf, IMPORTED_LIMIT, isWithin } from "../../crypto/password-cost";
import { asMessage, type Reason, reason } from "../../protocol/reason";
import { strict } from "../fields";

/** KiB a lane, the least that argon2 has (RFC 9106 §3.1). A cheap hash is replaced at the first sign-in. */
const LEAST_MEMORY = 8;

/**
 * Returns why a hash cannot be imported, or undefined.
 * @param allowWeak whether the import accepts unsalted hashes and those by MD5
 */
export function checkImportedHash(hash: string, allowWeak = false): Reason | undefined {
  // Its password is asked for elsewhere.
  if (nameElsewhere(hash) !== undefined) return undefined;
  const cost = costOf(hash);
  if (!cost) return checkForeignHash(hash, allowWeak);
  const { memory, passes, lanes, work } = IMPORTED_LIMIT;
  const isPossible = cost.memory >= LEAST_MEMORY * cost.lanes && cost.passes >= 1 && cost.lanes >= 1;
  if (isPossible && isWithin(cost, IMPORTED_LIMIT)) return;
  return reason("hash_cost", { least: LEAST_MEMORY, memory, passes, lanes, work });
}

function checkForeignHash(hash: string, allowWeak: boolean): Reason | undefined {
  const foreign = readForeignHash(hash);
  if (!foreign || foreign.milliseconds === Number.POSITIVE_INFINITY) return reason("hash_unknown");
  if (foreign.isWeak && !allowWeak) return reason("hash_weak");
  if (foreign.milliseconds <= MAX_FOREIGN_TIME) return undefined;
  return reason("hash_slow", { seconds: Math.ceil(foreign.milliseconds / 1_000) });
}

/** The parameters of a Firebase project, which its hashes do not contain. */
export const firebaseScrypt = strict({
  signerKey: z.base64().max(512),
  saltSeparator: z.base64().max(64).optional(),
  rounds: z.int().min(1).max(64),
  memoryCost: z.int().min(1).max(16),
});

/** A hash from another system, whose text may need `allowWeakHashes`, see `refuseWeakHash`. */
export const importedHash = z.string().superRefine((value, issues) => {
  const problem = checkImportedHash(value, true);
  if (problem) issues.addIssue({ code: "custom", message: asMessage(problem) });
});

/** Refuses a weak hash, at `path` of the body, unless the import allows weak ones. */
export function refuseWeakHash(
  hash: string | undefined,
  { allowWeakHashes = false }: { allowWeakHashes?: boolean },
  issues: z.RefinementCtx,
  path: string[],
): void {
  const problem = hash === undefined ? undefined : checkImportedHash(hash, allowWeakHashes);
  if (problem?.id === "hash_weak") issues.addIssue({ code: "custom", path, message: asMessage(problem) });
}
