/** Compares the stored fields with the wanted ones, so that only what differs is written and recorded. */
import { isDeepStrictEqual } from "node:util";
import type { Json } from "./catalogue";

export interface FieldDifference<Fields> {
  /** The fields that differ, with their new values. */
  data: Partial<Fields>;
  /** For the event, these fields, each as `{ from, to }`. */
  payload: { readonly [Field in keyof Fields]?: { from: Json; to: Json } };
}

/**
 * Returns the fields of `wanted` that differ from `stored`; undefined if none does. A field that is undefined in
 * `wanted` is kept; null clears it.
 */
export function difference<Fields extends object>(
  stored: { readonly [Field in keyof Fields]?: unknown },
  wanted: Fields,
): FieldDifference<Fields> | undefined {
  const names = (Object.keys(wanted) as (keyof Fields & string)[]).filter((name) => {
    return wanted[name] !== undefined && !isDeepStrictEqual(plain(stored[name]), plain(wanted[name]));
  });
  if (names.length === 0) return undefined;
  return {
    data: Object.fromEntries(names.map((name) => [name, wanted[name]])) as Partial<Fields>,
    payload: Object.fromEntries(
      names.map((name) => [name, { from: plain(stored[name]), to: plain(wanted[name]) }]),
    ) as FieldDifference<Fields>["payload"],
  };
}

/** Returns a value as the database returns it: missing values are null, and objects have no undefined members. */
function plain(value: unknown): Json {
  return value === undefined || value === null ? null : (JSON.parse(JSON.stringify(value)) as Json);
}
