/**
 * A scenario: calls of management operations in an order that makes sense, as data. The contract test runs it, holds
 * every answer against what the operation promises, and replays every call as somebody who may not make it.
 */

/** What earlier answers told, by names the scenario chooses: ids, tokens. */
export type Memory = Record<string, string>;

/** A value, or what makes it of what earlier answers told. */
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
  /** The id of the refusal, for what nobody can do here. */
  refused?: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by operation and are held against its schema
  keep?: (answer: any, memory: Memory) => void;
}

export function given<Value>(value: Given<Value>, memory: Memory): Value {
  return typeof value === "function" ? (value as (memory: Memory) => Value)(memory) : value;
}
