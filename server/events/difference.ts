/** Compares what is stored with what is wanted, field by field, to write and tell of nothing but the difference. */
import { isDeepStrictEqual } from "node:util";
import type { Json } from "./catalogue";

export interface Difference<Fields> {
  /** The fields that differ, with their new values. */
  data: Partial<Fields>;
  /** For the event: each of them as `{ from, to }`. */
  payload: { readonly [Field in keyof Fields]?: { from: Json; to: Json } };
}

/**
 * What of `wanted` differs from `stored`; a field that is undefined in `wanted` is left alone, null clears it.
 * Undefined when nothing differs.
 */
export function difference<Fields extends object>(
  stored: { readonly [Field in keyof Fields]?: unknown },
  wanted: Fields,
): Difference<Fields> | undefined {
  const names = (Object.keys(wanted) as (keyof Fields & string)[]).filter((name) => {
    return wanted[name] !== undefined && !isDeepStrictEqual(plain(stored[name]), plain(wanted[name]));
  });
  if (names.length === 0) return undefined;
  return {
    data: Object.fromEntries(names.map((name) => [name, wanted[name]])) as Partial<Fields>,
    payload: Object.fromEntries(
      names.map((name) => [name, { from: plain(stored[name]), to: plain(wanted[name]) }]),
    ) as Difference<Fields>["payload"],
  };
}

/** A missing value is null, and an object has no member that is undefined, as in the database. */
function plain(value: unknown): Json {
  return value === undefined || value === null ? null : (JSON.parse(JSON.stringify(value)) as Json);
}
