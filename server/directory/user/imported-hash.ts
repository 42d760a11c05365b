/**
 * Password hashes made elsewhere. Only those the service can verify are accepted, and only with costs whose product
 * strangers may cause: anybody who types a password for their owner has it computed (crypto/password-cost.ts).
 */
import { costOf, IMPORTED_LIMIT, isWithin } from "../../crypto/password-cost";

/** KiB. Cheaper ones are no protection if they are ever stolen (OWASP's cheat sheet: 7 MiB at least). */
const LEAST_MEMORY = 7 * 1024;

/** Why a hash cannot be imported, or undefined. */
export function checkImportedHash(hash: string): string | undefined {
  const cost = costOf(hash);
  if (!cost) return "must be an argon2id hash in PHC format: $argon2id$v=19$m=…,t=…,p=…$salt$hash";
  const { memory, passes, lanes, work } = IMPORTED_LIMIT;
  if (cost.memory >= LEAST_MEMORY && cost.passes >= 1 && cost.lanes >= 1 && isWithin(cost, IMPORTED_LIMIT)) return;
  const limits = `${LEAST_MEMORY} to ${memory} KiB of memory, 1 to ${passes} passes and 1 to ${lanes} lanes`;
  return `must use ${limits}, and no more than ${work} KiB times passes (m × t): verifying it would take too long`;
}
