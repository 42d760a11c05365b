// The changes of an event, as rows: settings recorded as a whole are split, so that only the differences are shown.
import type { FieldChange } from "./event";

export interface ChangedValue {
  /** The path, such as `settings.redirectUris`. */
  field: string;
  from?: unknown;
  to?: unknown;
  /** Whether the event only states the value, without a former one. */
  isFact?: true;
}

/** The depth to which settings are split; deeper values are compared as a whole. */
const DEPTH = 3;

export const changedValues = (changes: readonly FieldChange[]): ChangedValue[] =>
  changes.flatMap(({ field, from, to }) =>
    differing({ field, from, to }, DEPTH).map((value) => (from === undefined ? { ...value, isFact: true } : value)),
  );

function differing({ field, from, to }: ChangedValue, depth: number): ChangedValue[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  const [before, after] = [recordOf(from), recordOf(to)];
  if (depth === 0 || !before || !after || (isNothing(from) && isNothing(to))) {
    const value = shown({ field, ...listsApart(from, to) });
    return "from" in value || "to" in value ? [value] : [];
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) =>
    differing({ field: `${field}.${name}`, from: before[name], to: after[name] }, depth - 1),
  );
}

/** Returns the entries that only one of two lists has; both lists unchanged if only the order differs. */
function listsApart(from: unknown, to: unknown): Pick<ChangedValue, "from" | "to"> {
  if (!Array.isArray(from) || !Array.isArray(to)) return { from, to };
  const without = (list: unknown[], other: unknown[]) => {
    const known = new Set(other.map((one) => JSON.stringify(one)));
    return list.filter((one) => !known.has(JSON.stringify(one)));
  };
  const [gone, added] = [without(from, to), without(to, from)];
  return gone.length + added.length > 0 ? { from: gone, to: added } : { from, to };
}

/** Drops the missing side of a value that was added or removed. */
const shown = ({ field, from, to }: ChangedValue): ChangedValue => ({
  field,
  ...(!isNothing(from) && { from }),
  ...(!isNothing(to) && { to }),
});

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** Returns the members of an object; none for a missing value, and undefined for a value that is not an object. */
function recordOf(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return {};
  return typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

/** Returns the text of a value; a list has one line per entry, so that lists of addresses can be compared. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map(textOf).join("\n") : JSON.stringify(value);
}

const REDIRECTS = new Set(["settings.redirectUris", "settings.postLogoutRedirectUris"]);

/** Whether only the redirect addresses of an app were changed. */
export function changesRedirects(type: string, changes: readonly FieldChange[]): boolean {
  if (type !== "app.changed") return false;
  const fields = changedValues(changes).map(({ field }) => field);
  return fields.length > 0 && fields.every((field) => REDIRECTS.has(field));
}
