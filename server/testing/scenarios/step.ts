/**
 * A scenario: calls of management operations in a sensible order, as data. The contract test runs it, compares every
 * response with the schema of its operation, and replays every call as a user without the permission.
 */

/** Values of earlier responses (ids, tokens) by names that the scenario chooses. */
export type Memory = Record<string, string>;

/** A value, or a function that computes it from earlier responses. */
export type Given<Value> = Value | ((memory: Memory) => Value);

export interface Step {
  /** The id of the operation. */
  operation: string;
  /** Who calls: `owner` (the default) owns the instance, `colleague` owns the organization alone. */
  as?: "owner" | "colleague";
  parameters?: Given<Record<string, string>>;
  query?: Record<string, string>;
  body?: Given<unknown>;
  /** For the header `x-service-orgid`. */
  organizationId?: Given<string>;
  /** The id of the refusal, for operations that cannot succeed here. */
  refused?: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by operation and are held against its schema
  keep?: (answer: any, memory: Memory) => void;
}

export function given<Value>(value: Given<Value>, memory: Memory): Value {
  return typeof value === "function" ? (value as (memory: Memory) => Value)(memory) : value;
}
