// What a text was before one of its changes.
import type { Changes } from "./history-dialog";
import type { Values } from "./text-state";

/**
 * Returns the level's own fields before a change; empty if it had none, and undefined if the history does not have the
 * change.
 */
export function textBefore(changes: Changes["changes"], sequence: string): Values | undefined {
  const change = changes.find((one) => one.sequence === sequence);
  if (!change) return undefined;
  const before: Record<string, string> = { ...change.fields };
  for (const { field, from } of change.changes) {
    if (from === undefined || from === "") delete before[field];
    else before[field] = from;
  }
  return before;
}
