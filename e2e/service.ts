/** The built service as browser tests start it. */
import { startService as start } from "../scripts/service.mjs";

/**
 * Prisma compiles queries in WebAssembly, and V8 spends most of a second of a second core on making one function of it
 * fast once it has been used: more than a service saves by that in the minutes it lives. With more room for young objects
 * the garbage of the modules being loaded is collected less often.
 */
const FOR_A_SHORT_LIFE = ["--liftoff-only", "--max-semi-space-size=64"];

/** A service for a test, or for the tests of a worker. */
export function startService(options: NonNullable<Parameters<typeof start>[0]> = {}): ReturnType<typeof start> {
  return start({ ...options, flags: FOR_A_SHORT_LIFE });
}
