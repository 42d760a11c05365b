/** Events of one aggregate as people look at them: some kinds only, newest first, a page at a time. */
import type { Database } from "./database";
import { readJson } from "./json-column";

export interface ActivityRow {
  /** Counts the aggregate's events; a page ends before one. */
  sequence: number;
  type: string;
  actor: string;
  payload: Record<string, unknown>;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** @param wanted.before only what happened before the event with this sequence */
export async function listActivity(
  db: Database,
  aggregate: { type: string; id: string },
  wanted: { types: readonly string[]; before: number | undefined; limit: number },
): Promise<ActivityRow[]> {
  const { types, before, limit } = wanted;
  const known = types.map((_, index) => `$${index + 5}`).join(", ");
  const rows = await db.all<Omit<ActivityRow, "payload"> & { payload: unknown }>(
    `SELECT "sequence", "type", "actor", "payload", "createdAt" FROM "Event"
      WHERE "aggregateType" = $1 AND "aggregateId" = $2 AND "sequence" < $3 AND "type" IN (${known})
      ORDER BY "sequence" DESC LIMIT $4`,
    [aggregate.type, aggregate.id, before ?? LAST, limit, ...types],
  );
  return rows.map((row) => ({ ...row, payload: readJson(row.payload) }));
}

/** More events nobody has: the largest value of the column on both databases. */
const LAST = 2 ** 31 - 1;
