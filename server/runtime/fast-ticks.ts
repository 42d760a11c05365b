/**
 * Keeps Node's deferred calls fast for as long as the process runs. `process.nextTick` puts an object literal with
 * computed keys into its queue. V8 frees the shape of these objects with the last of them, as a full collection does
 * while there are no requests, and then treats the next shape as a second one and creates all later objects on a slow
 * path. So one of these objects is kept.
 *
 * Saves: on Node.js 24 a deferred call costs 0.2 µs of processor time instead of 0.8 after the first full collection;
 * a request with its several calls would cost a fifth to a third more until the process ends.
 * Delete it when fast-ticks.test.ts passes without the kept object.
 */
import { createHook } from "node:async_hooks";

let kept: object | undefined;

/**
 * Must be called before anything else is loaded, because loading creates enough garbage for a full collection.
 * @returns the kept object; undefined if Node does not expose it
 */
export function keepTicksFast(): object | undefined {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === "TickObject") kept = resource;
    },
  });
  hook.enable();
  process.nextTick(() => {});
  hook.disable();
  return kept;
}
