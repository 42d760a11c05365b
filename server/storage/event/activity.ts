/** Reads the events of one aggregate for display: selected types, newest first, page by page. */
import type { Database } from "../database";
import { readJson } from "../json-column";

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
  const known = types.map((_, index) => `$${index + 6}`).join(", ");
  const rows = await db.all<Omit<ActivityRow, "payload"> & { payload: unknown }>(
    `SELECT "sequence", "type", "actor", "payload", "createdAt" FROM "Event"
      WHERE "aggregateType" = $1 AND "aggregateId" = $2 AND "resourceOwner" = $3 AND "sequence" < CAST($4 AS BIGINT)
        AND "type" IN (${known})
      ORDER BY "sequence" DESC LIMIT $5`,
    [aggregate.type, aggregate.id, aggregate.resourceOwner, before ?? LAST, limit, ...types],
  );
  return rows.map((row) => ({ ...row, payload: readJson(row.payload) }));
}

/** Greater than any real sequence. */
const LAST = Number.MAX_SAFE_INTEGER;
