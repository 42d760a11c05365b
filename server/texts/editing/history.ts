/**
 * The history of a text: every change that the audit trail still contains, newest first, with the text after it.
 * Restoring one means setting its fields again, which runs the usual checks.
 */
import type { Context } from "../../context";
import { type ListedEvent, listEventsOf } from "../../events/list";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { aggregateOf, findOwnText, levelTextId } from "../level/level-text";
import { MESSAGE_FIELDS } from "../message-text";
import { type AnyTextTarget, findTarget } from "../text-owner";

/** The number of changes that are read; older ones are in the audit trail. */
const MAX_CHANGES = 200;

type Fields = Readonly<Record<string, string>>;

export interface TextChange {
  event: ListedEvent;
  /** `kept`: confirmed unchanged after the built-in text had changed. */
  kind: "set" | "removed" | "kept";
  changes: readonly { field: string; from: string | undefined; to: string | undefined }[];
  /** The level's own fields after the change. */
  fields: Fields;
}

/** Returns the changes, newest first. */
export async function textHistory(ctx: Context, target: AnyTextTarget): Promise<TextChange[] | ApiError> {
  const found = await findTarget(ctx, target);
  if (isApiError(found)) return found;
  const { key } = found;
  const { own } = await findOwnText(ctx, key);
  const of = { aggregateTypes: [aggregateOf(key)], aggregateId: levelTextId(key) };
  const events = await listEventsOf(ctx, of, { ascending: false, limit: MAX_CHANGES });
  return unroll(own, events, key.type === undefined ? changesOfPages : changesOfMessage);
}

const changesOfMessage = ({ payload }: ListedEvent) =>
  MESSAGE_FIELDS.flatMap((field) => changeOf(field, payload[field]));

function changesOfPages({ payload }: ListedEvent): Change[] {
  const { from = {}, to = {} } = (payload.words ?? {}) as Partial<Record<"from" | "to", Record<string, unknown>>>;
  return Object.keys(to).flatMap((field) => changeOf(field, { from: from[field], to: to[field] }));
}

type Change = TextChange["changes"][number];

function changeOf(field: string, recorded: unknown): Change[] {
  if (typeof recorded !== "object" || recorded === null) return [];
  const { from, to } = recorded as { from?: unknown; to?: unknown };
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
  return text(from) === text(to) ? [] : [{ field, from: text(from), to: text(to) }];
}

/**
 * Computes the text after each change.
 * @param now the text after the newest event
 * @param events newest first
 */
function unroll(
  now: Fields,
  events: readonly ListedEvent[],
  changesOf: (event: ListedEvent) => Change[],
): TextChange[] {
  let fields = now;
  return events.map((event, index): TextChange => {
    const kind = event.type.endsWith(".removed") ? "removed" : event.type.endsWith(".kept") ? "kept" : "set";
    const recorded = changesOf(event);
    // Earlier releases did not record what a reset removed.
    const changes =
      kind === "removed" && recorded.length === 0 ? removedBy(events.slice(index + 1), changesOf) : recorded;
    const after = fields;
    const before = new Map(Object.entries(after));
    for (const { field, from } of changes) {
      if (from === undefined) before.delete(field);
      else before.set(field, from);
    }
    fields = Object.fromEntries(before);
    return { event, kind, changes, fields: after };
  });
}

/** Returns the fields that earlier changes had set, back to the previous reset. */
function removedBy(older: readonly ListedEvent[], changesOf: (event: ListedEvent) => Change[]): Change[] {
  const end = older.findIndex(({ type }) => type.endsWith(".removed"));
  const found = new Map<string, string | undefined>();
  for (const event of end < 0 ? older : older.slice(0, end)) {
    for (const { field, to } of changesOf(event)) if (!found.has(field)) found.set(field, to);
  }
  return [...found].flatMap(([field, from]) => (from === undefined ? [] : [{ field, from, to: undefined }]));
}
