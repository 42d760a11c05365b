/** Reads the events of one aggregate for display: selected types, newest first, page by page. */
import type { Database } from "../database";
import { bind, tables } from "../statement";

export interface ActivityRow {
  /** The number of the event within its aggregate; the cursor of a page. */
  sequence: number;
  type: string;
  actor: string;
  payload: Record<string, unknown>;
  /** Epoch milliseconds. */
  createdAt: number;
}

/**
 * Returns a page of the events of an aggregate.
 * @param aggregate.resourceOwner its owner; events of an earlier object with the same id and another owner are left out
 * @param wanted.before only events before the one with this sequence
 */
export async function listActivity(
  db: Database,
  aggregate: { type: string; id: string; resourceOwner: string },
  wanted: { types: readonly string[]; before: number | undefined; limit: number },
): Promise<ActivityRow[]> {
  const { types, before, limit } = wanted;
  const events = tables
    .selectFrom("Event")
    .select(["sequence", "type", "actor", "payload", "createdAt"])
    .where("aggregateType", "=", aggregate.type)
    .where("aggregateId", "=", aggregate.id)
    .where("resourceOwner", "=", aggregate.resourceOwner)
    .where("type", "in", types)
    .orderBy("sequence", "desc")
    .limit(limit)
    .$castTo<ActivityRow>();
  return db.all(bind(before === undefined ? events : events.where("sequence", "<", before)));
}
