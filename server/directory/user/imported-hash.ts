/**
 * Password hashes made elsewhere. Only formats that the service can verify are accepted, and only within a cost limit,
 * because anyone who types a password for the user causes the computation (crypto/password-cost.ts).
 */
import { costOf, IMPORTED_LIMIT, isWithin } from "../../crypto/password-cost";
import { type Reason, reason } from "../../protocol/reason";

/** KiB. Cheaper hashes give no protection if they are stolen (OWASP's cheat sheet: at least 7 MiB). */
const LEAST_MEMORY = 7 * 1024;

/** Returns why a hash cannot be imported, or undefined. */
export function checkImportedHash(hash: string): Reason | undefined {
  const cost = costOf(hash);
  if (!cost) return reason("hash_format");
  const { memory, passes, lanes, work } = IMPORTED_LIMIT;
  if (cost.memory >= LEAST_MEMORY && cost.passes >= 1 && cost.lanes >= 1 && isWithin(cost, IMPORTED_LIMIT)) return;
  return reason("hash_cost", { least: LEAST_MEMORY, memory, passes, lanes, work });
}
