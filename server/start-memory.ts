/**
 * A start allocates much and keeps little of it, and what V8 and the allocator have taken for that they do not give back:
 * 250 MB stayed resident instead of 170. So until the service is ready V8's young generation does not grow, and
 * WebAssembly (Prisma's query compiler) is compiled by one thread, as each has an arena of its own, and by the baseline
 * compiler: the optimizing one takes 40 MB, gives little of it back, and uses a fifth of a start's processor time. Under
 * load the young generation has to grow: without it a token costs a third more processor time.
 */
import { setFlagsFromString } from "node:v8";

/** Bytes of WebAssembly that a function executes before it is optimized; V8's own are 1,800,000; a start exceeds 30,000,000. */
const TIERING_BUDGET = 80_000_000;

/** To be called before anything else is loaded. */
export function spareMemory(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--wasm-num-compilation-tasks=1");
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
}

/**
 * From now on memory is taken for speed. After every pause V8 makes the young generation as small as it can be, and then
 * lets it grow by a step whenever as much as it holds has survived. Of a short answer nothing survives, so with V8's own
 * steps of two it is collected ten times as often for the next tens of thousands of answers; this one step reaches the
 * limit.
 */
export function takeMemory(): void {
  setFlagsFromString("--semi-space-growth-factor=16");
}
