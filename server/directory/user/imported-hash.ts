/**
 * Password hashes made elsewhere. Only those the service can verify are accepted, and only with costs whose product
 * strangers may cause: anybody who types a password for their owner has it computed (crypto/password-cost.ts).
 */
import { costOf, IMPORTED_LIMIT, isWithin } from "../../crypto/password-cost";
import { type Reason, reason } from "../../protocol/reason";

/** KiB. Cheaper ones are no protection if they are ever stolen (OWASP's cheat sheet: 7 MiB at least). */
const LEAST_MEMORY = 7 * 1024;

/** Why a hash cannot be imported, or undefined. */
export function checkImportedHash(hash: string): Reason | undefined {
  const cost = costOf(hash);
  if (!cost) return reason("hash_format");
  const { memory, passes, lanes, work } = IMPORTED_LIMIT;
  if (cost.memory >= LEAST_MEMORY && cost.passes >= 1 && cost.lanes >= 1 && isWithin(cost, IMPORTED_LIMIT)) return;
  return reason("hash_cost", { least: LEAST_MEMORY, memory, passes, lanes, work });
}
