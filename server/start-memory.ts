/**
 * A start allocates much and keeps little of it, and what V8 and the allocator have taken for that they do not give back:
 * 250 MB stayed resident instead of 170. So until the service is ready V8's young generation does not grow, and
 * WebAssembly (Prisma's query compiler) is compiled by one thread, as each has an arena of its own. Under load the young
 * generation has to grow: without it a token costs a third more processor time.
 */
import { setFlagsFromString } from "node:v8";

/** To be called before anything else is loaded. */
export function spareMemory(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--wasm-num-compilation-tasks=1");
}

/** From now on memory is taken for speed. */
export function takeMemory(): void {
  setFlagsFromString("--semi-space-growth-factor=2"); // V8's default
}
