/**
 * Reduces the memory of a start, which allocates much and keeps little. V8 and the allocator do not return it. So until
 * the service is ready, V8's young generation does not grow, and WebAssembly (Prisma's query compiler) is compiled by
 * one thread, because each has its own arena, and by the baseline compiler: the optimizing one takes 40 MB, returns
 * little of it, and uses a fifth of the processor time of a start. Under load the young generation has to grow: without
 * it a token costs a third more processor time.
 *
 * Saves: on Node.js 24 a process keeps 155 MB resident after its start instead of 230 to 250.
 * Delete it when a process without these flags stays below 170 MB, or when nothing is compiled from WebAssembly any
 * longer.
 */
import { setFlagsFromString } from "node:v8";

/**
 * Bytes of WebAssembly that a function executes before it is optimized. V8's default is 1,800,000; a start exceeds
 * 30,000,000.
 */
const TIERING_BUDGET = 80_000_000;

/** Must be called before anything else is loaded. */
export function spareMemory(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--wasm-num-compilation-tasks=1");
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
}

/**
 * Uses more memory for speed from now on. After every pause V8 shrinks the young generation to its minimum, and then
 * lets it grow by a step whenever as much as it holds has survived. Nothing of a short response survives, so with V8's
 * own factor of two it is collected ten times as often for the next tens of thousands of responses; this single step
 * reaches the limit.
 */
export function takeMemory(): void {
  setFlagsFromString("--semi-space-growth-factor=16");
}
