// V8 flags for processes that live for minutes, such as those of tests. By default V8 optimizes for processes that live
// for days: it compiles functions that are soon not called again, and collects young objects in small portions while
// modules are loaded.

/**
 * For the runners of tests, and their workers. A function is made fast when it has run for eight times as long as usual,
 * since making it so is a sixth of the processor time of the unit tests. Tests make much and keep little: with the usual young
 * generation (MB) an eighth of their processor time is its clearing away.
 */
export const RUNNER_FLAGS = [
  "--invocation-count-for-turbofan=24000",
  "--min-semi-space-size=16",
  "--max-semi-space-size=32",
];

/** Prisma compiles queries in WebAssembly, and V8 spends most of a second on making one function of it fast. */
const WITHOUT_FAST_PRISMA = "--liftoff-only";

/** For what runs the service in one process with its tests. */
export const UNIT_TEST_FLAGS = [WITHOUT_FAST_PRISMA, ...RUNNER_FLAGS];

/** For services of browser tests, each of which loads all modules anew. */
export const SERVICE_FLAGS = [
  WITHOUT_FAST_PRISMA,
  ...["--invocation-count-for-turbofan=24000", "--min-semi-space-size=32", "--max-semi-space-size=64"],
];
