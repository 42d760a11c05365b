/**
 * Keeps Node's deferred calls fast for as long as the process runs. What `process.nextTick` puts into its queue is a
 * literal with computed keys. V8 frees its shape with the last such object, as a full collection does in a moment without
 * requests, and takes the next shape for a second one: from then on it makes these objects the slow way. A request defers
 * several calls and would cost a fifth to a third more, until the process ends. So one of these objects is kept.
 */
import { createHook } from "node:async_hooks";

let kept: object | undefined;

/**
 * To be called before anything else is loaded: that makes enough garbage for a full collection.
 * @returns what is kept; undefined where Node does not show it
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
