// V8 flags for processes that live for minutes, such as those of tests. By default V8 optimizes for processes that live
// for days: it compiles functions that are soon not called again, and collects young objects in small portions while
// modules are loaded.

/**
 * Flags for test runners and their workers. A function is optimized after eight times as many runs as usual, because
 * optimization takes a sixth of the processor time of the unit tests. Tests allocate much and keep little: with the
 * default size of the young generation (MB) garbage collection takes an eighth of their processor time.
 */
export const RUNNER_FLAGS = [
  "--invocation-count-for-turbofan=24000",
  "--min-semi-space-size=16",
  "--max-semi-space-size=32",
];

/** Prisma compiles queries in WebAssembly, and V8 spends most of a second on optimizing one of its functions. */
const WITHOUT_FAST_PRISMA = "--liftoff-only";

/** Flags for tests that run the service in their own process. */
export const UNIT_TEST_FLAGS = [WITHOUT_FAST_PRISMA, ...RUNNER_FLAGS];

/** Flags for the services of browser tests, each of which loads all modules. */
export const SERVICE_FLAGS = [
  WITHOUT_FAST_PRISMA,
  ...["--invocation-count-for-turbofan=24000", "--min-semi-space-size=32", "--max-semi-space-size=64"],
];
