/**
 * Password hashes made elsewhere. Only those the service can verify are accepted, and only with costs that cannot
 * exhaust the memory (attack: an imported hash that demands gigabytes).
 */

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/;
/** KiB; RFC 9106 §4 recommends 2 GiB or 64 MiB, and 2 GiB is more than a service has for each sign-in. */
const MOST_MEMORY = 256 * 1024;
const LEAST_MEMORY = 7 * 1024;

/** Why a hash cannot be imported, or undefined. */
export function checkImportedHash(hash: string): string | undefined {
  const phc = PHC.exec(hash);
  if (!phc) return "must be an argon2id hash in PHC format: $argon2id$v=19$m=…,t=…,p=…$salt$hash";
  const [memory = 0, passes = 0, lanes = 0] = phc.slice(1).map(Number);
  if (memory < LEAST_MEMORY || memory > MOST_MEMORY) return `must use ${LEAST_MEMORY} to ${MOST_MEMORY} KiB of memory`;
  return passes >= 1 && passes <= 20 && lanes >= 1 && lanes <= 16
    ? undefined
    : "must use 1 to 20 passes and 1 to 16 lanes";
}
