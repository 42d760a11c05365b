/** Starts the built service for browser tests. */
import { startService as start } from "../scripts/service.mjs";
import { SERVICE_FLAGS } from "../scripts/short-life.mjs";

/** Starts a service for a test, or for the tests of a worker. */
export function startService(options: NonNullable<Parameters<typeof start>[0]> = {}): ReturnType<typeof start> {
  return start({ ...options, flags: SERVICE_FLAGS });
}
