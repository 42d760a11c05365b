/**
 * Rows of the audit trail and of the aggregates that number its events. Sequence numbers come from an incrementing
 * upsert, so that two writers of one aggregate wait for each other on its row and never get the same number. An event
 * and its aggregate belong to the owner that the object has at that time.
 */
import { nextTurn } from "../../concurrency/pauses";
import type { Database, Transaction, Unit, Value } from "../database";
import { Prisma } from "../generated/sqlite/client";
import { insertRows } from "../many-rows";

/** Times are epoch milliseconds. */
export interface AggregateRow {
  sequence: number;
  resourceOwner: string;
  createdAt: number;
  changedAt: number;
}

export interface NewEvent {
  aggregateType: string;
  aggregateId: string;
  type: string;
  resourceOwner: string;
  actor: string;
  requestId: string | null;
  address: string | null;
  clientId: string | null;
  payload: Record<string, unknown>;
  now: number;
}

/**
 * Increments the aggregate's sequence (from 0) and stores the event with the new number.
 * @param isNew whether the creation date is set to the time of this event, as for the first event
 */
export async function appendEvent(
  db: Pick<Database, "kind">,
  tx: Transaction,
  event: NewEvent,
  { isNew = false }: { isNew?: boolean } = {},
): Promise<AggregateRow> {
  const [head] = await tx.$queryRaw<RawAggregate[]>(
    Prisma.sql`${countUp(event, isNew)} RETURNING "sequence", "resourceOwner", "createdAt", "changedAt"`,
  );
  if (!head) throw new Error(`no head for ${event.aggregateType} ${event.aggregateId}`);
  const row = toAggregate(head);
  const { now, payload, ...rest } = event;
  await insertRows(db, tx, "Event", [{ ...rest, sequence: row.sequence, payload, createdAt: new Date(now) }]);
  return row;
}

function countUp({ aggregateType, aggregateId, resourceOwner, now }: NewEvent, isNew = false): Prisma.Sql {
  const at = new Date(now);
  const creation = isNew ? Prisma.sql`, "createdAt" = excluded."createdAt"` : Prisma.empty;
  return Prisma.sql`
    INSERT INTO "Aggregate" ("type", "id", "resourceOwner", "sequence", "createdAt", "changedAt")
    VALUES (${aggregateType}, ${aggregateId}, ${resourceOwner}, 1, ${at}, ${at})
    ON CONFLICT ("type", "id") DO UPDATE
      SET "sequence" = "Aggregate"."sequence" + 1, "resourceOwner" = excluded."resourceOwner",
          "changedAt" = excluded."changedAt"${creation}`;
}

/** Appends an event as one unit with the rows it is about, which needs only one round trip. */
export async function commitEvent(db: Database, event: NewEvent, { inserts, updates }: Unit): Promise<void> {
  const { now, payload, ...rest } = event;
  const { text, values } = countUp(event);
  const row = {
    ...rest,
    sequence: { returned: "sequence" },
    payload: JSON.stringify(payload),
    createdAt: new Date(now),
  };
  await db.commit({
    guard: { sql: text, values: values as Value[], returning: ["sequence"] },
    inserts: [...inserts, { table: "Event", row }],
    updates,
  });
}

/**
 * Appends events of many distinct aggregates of one type, with three statements per 100 events. Longer statements would
 * block other users for too long while they are composed.
 */
export async function appendEvents(db: Database, tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  for (let start = 0; start < events.length; start += CHUNK) {
    await nextTurn();
    const chunk = events.slice(start, start + CHUNK);
    const rows = chunk.map(({ aggregateType, aggregateId, resourceOwner, now }) => {
      const at = new Date(now);
      return Prisma.sql`(${aggregateType}, ${aggregateId}, ${resourceOwner}, 1, ${at}, ${at})`;
    });
    const heads = await tx.$queryRaw<{ id: string; sequence: number | bigint }[]>`
      INSERT INTO "Aggregate" ("type", "id", "resourceOwner", "sequence", "createdAt", "changedAt")
      VALUES ${Prisma.join(rows)}
      ON CONFLICT ("type", "id") DO UPDATE
        SET "sequence" = "Aggregate"."sequence" + 1, "resourceOwner" = excluded."resourceOwner",
            "changedAt" = excluded."changedAt"
      RETURNING "id", "sequence"`;
    const byId = new Map(heads.map((head) => [head.id, head]));
    const numbered = chunk.map(({ now, payload, ...event }) => ({
      ...event,
      sequence: Number(byId.get(event.aggregateId)?.sequence),
      payload,
      createdAt: new Date(now),
    }));
    await insertRows(db, tx, "Event", numbered);
  }
}

const CHUNK = 100;

/** Returns the aggregate as seen by the transaction. */
export async function readAggregate(tx: Transaction, type: string, id: string): Promise<AggregateRow | undefined> {
  const row = await tx.aggregate.findUnique({ where: { type_id: { type, id } } });
  return row ? toAggregate(row) : undefined;
}

/** Whether the aggregate has an event of this type that is not older than `since` (epoch milliseconds). */
export async function hasEventSince(
  tx: Transaction,
  { aggregateType, aggregateId, type }: Pick<NewEvent, "aggregateType" | "aggregateId" | "type">,
  since: number,
): Promise<boolean> {
  const where = { aggregateType, aggregateId, type, createdAt: { gte: new Date(since) } };
  return (await tx.event.findFirst({ where, select: { position: true } })) !== null;
}

/** An event of an object with its number. */
export interface StoredPayload {
  sequence: number;
  payload: Record<string, unknown>;
}

/** Returns the events of an object and a type since a time, epoch milliseconds. */
export async function listEventsSince(
  tx: Transaction,
  { aggregateType, aggregateId, type }: Pick<NewEvent, "aggregateType" | "aggregateId" | "type">,
  since: number,
): Promise<StoredPayload[]> {
  const where = { aggregateType, aggregateId, type, createdAt: { gte: new Date(since) } };
  const rows = await tx.event.findMany({ where, select: { sequence: true, payload: true } });
  return rows.map((row) => ({ ...row, payload: row.payload as Record<string, unknown> }));
}

/** Replaces the payload of an event that counts, which is the only kind of event that changes. */
export async function updateEventPayload(
  tx: Transaction,
  { aggregateType, aggregateId, sequence }: { aggregateType: string; aggregateId: string; sequence: number },
  payload: Record<string, unknown>,
): Promise<void> {
  const where = { aggregateType, aggregateId, sequence };
  await tx.event.updateMany({ where, data: { payload: payload as object } });
}

/** The committed aggregate. */
export function findAggregate(db: Database, type: string, id: string): Promise<AggregateRow | undefined> {
  return db.one<AggregateRow>(
    `SELECT "sequence", "resourceOwner", "createdAt", "changedAt" FROM "Aggregate" WHERE "type" = $1 AND "id" = $2`,
    [type, id],
  );
}

/** Raw results have times as the driver returns them: a Date from PostgreSQL, a number from SQLite. */
interface RawAggregate {
  sequence: number | bigint;
  resourceOwner: string;
  createdAt: Date | number | bigint;
  changedAt: Date | number | bigint;
}

function toAggregate(row: RawAggregate): AggregateRow {
  return {
    sequence: Number(row.sequence),
    resourceOwner: row.resourceOwner,
    createdAt: Number(row.createdAt),
    changedAt: Number(row.changedAt),
  };
}
