// What an event changed, as rows to compare: settings that are recorded as a whole are taken apart, so that only what
// differs is shown.
import type { FieldChange } from "./event";

export interface ChangedValue {
  /** `settings.redirectUris` */
  field: string;
  from?: unknown;
  to?: unknown;
  /** Whether the event only says it, and compares it with nothing. */
  isFact?: true;
}

/** How deep settings are taken apart; what lies deeper is compared as it is. */
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

/** Of two lists, what one has and the other has not; both as they are if only the order differs. */
function listsApart(from: unknown, to: unknown): Pick<ChangedValue, "from" | "to"> {
  if (!Array.isArray(from) || !Array.isArray(to)) return { from, to };
  const without = (list: unknown[], other: unknown[]) => {
    const known = new Set(other.map((one) => JSON.stringify(one)));
    return list.filter((one) => !known.has(JSON.stringify(one)));
  };
  const [gone, added] = [without(from, to), without(to, from)];
  return gone.length + added.length > 0 ? { from: gone, to: added } : { from, to };
}

/** A value that was not there before, or is not there any more, has only one side. */
const shown = ({ field, from, to }: ChangedValue): ChangedValue => ({
  field,
  ...(!isNothing(from) && { from }),
  ...(!isNothing(to) && { to }),
});

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** Its members; none of a value that is missing, and undefined for what has no members. */
function recordOf(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return {};
  return typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

/** A list has a value a line, as lists of addresses are compared line by line. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map(textOf).join("\n") : JSON.stringify(value);
}

const REDIRECTS = new Set(["settings.redirectUris", "settings.postLogoutRedirectUris"]);

/** Whether an app got other addresses to answer at, and nothing else. */
export function changesRedirects(type: string, changes: readonly FieldChange[]): boolean {
  if (type !== "app.changed") return false;
  const fields = changedValues(changes).map(({ field }) => field);
  return fields.length > 0 && fields.every((field) => REDIRECTS.has(field));
}
