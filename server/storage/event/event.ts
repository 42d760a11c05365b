/**
 * Rows of the audit trail and of the aggregates that number its events. Sequence numbers come from an incrementing
 * upsert, so that two writers of one aggregate wait for each other on its row and never get the same number. An event
 * and its aggregate belong to the owner that the object has at that time.
 */
import { nextTurn } from "../../concurrency/pauses";
import type { Database, Transaction, Unit } from "../database";
import { readAll, readOne, write } from "../in-transaction";
import { insertRows } from "../many-rows";
import { bind, type Params, statement, tables } from "../statement";

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
  const { now, payload, ...rest } = event;
  const { aggregateType, aggregateId, resourceOwner } = event;
  const row = await readOne(tx, (isNew ? begin : advance)({ aggregateType, aggregateId, resourceOwner, now }));
  if (!row) throw new Error(`no head for ${aggregateType} ${aggregateId}`);
  await insertRows(db, tx, "Event", [{ ...rest, sequence: row.sequence, payload, createdAt: new Date(now) }]);
  return row;
}

type Head = Pick<NewEvent, "aggregateType" | "aggregateId" | "resourceOwner" | "now">;

/** Counts an event of an aggregate, which is created by its first event. */
const countUp = ($: Params<Head>, { isNew = false } = {}) =>
  tables
    .insertInto("Aggregate")
    .values({
      ...{ type: $("aggregateType"), id: $("aggregateId"), resourceOwner: $("resourceOwner") },
      ...{ sequence: 1, createdAt: $("now"), changedAt: $("now") },
    })
    .onConflict((conflict) =>
      conflict.columns(["type", "id"]).doUpdateSet((eb) => ({
        sequence: eb("Aggregate.sequence", "+", 1),
        resourceOwner: eb.ref("excluded.resourceOwner"),
        changedAt: eb.ref("excluded.changedAt"),
        ...(isNew && { createdAt: eb.ref("excluded.createdAt") }),
      })),
    );

const AGGREGATE = ["sequence", "resourceOwner", "createdAt", "changedAt"] as const;
const advance = statement(($: Params<Head>) => countUp($).returning(AGGREGATE));
const begin = statement(($: Params<Head>) => countUp($, { isNew: true }).returning(AGGREGATE));
const count = statement(($: Params<Head>) => countUp($));

/** Appends an event as one unit with the rows it is about, which needs only one round trip. */
export async function commitEvent(db: Database, event: NewEvent, { inserts, updates }: Unit): Promise<void> {
  const { now, payload, ...rest } = event;
  const { aggregateType, aggregateId, resourceOwner } = event;
  await db.commit({
    guard: { ...count({ aggregateType, aggregateId, resourceOwner, now }), returning: ["sequence"] },
    inserts: [
      ...inserts,
      { table: "Event", row: { ...rest, sequence: { returned: "sequence" }, payload, createdAt: now } },
    ],
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
    const rows = chunk.map(({ aggregateType, aggregateId, resourceOwner, now }) => ({
      ...{ type: aggregateType, id: aggregateId, resourceOwner, sequence: 1, createdAt: now, changedAt: now },
    }));
    const counted = tables
      .insertInto("Aggregate")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["type", "id"]).doUpdateSet((eb) => ({
          sequence: eb("Aggregate.sequence", "+", 1),
          resourceOwner: eb.ref("excluded.resourceOwner"),
          changedAt: eb.ref("excluded.changedAt"),
        })),
      );
    const heads = await readAll(tx, bind(counted.returning(["id", "sequence"])));
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

const aggregate = statement(($: Params<{ type: string; id: string }>) =>
  tables.selectFrom("Aggregate").select(AGGREGATE).where("type", "=", $("type")).where("id", "=", $("id")),
);

/** Returns the aggregate as seen by the transaction. */
export function readAggregate(tx: Transaction, type: string, id: string): Promise<AggregateRow | undefined> {
  return readOne(tx, aggregate({ type, id }));
}

/** Returns the committed aggregate. */
export function findAggregate(db: Database, type: string, id: string): Promise<AggregateRow | undefined> {
  return db.one(aggregate({ type, id }));
}

type EventsOfType = Pick<NewEvent, "aggregateType" | "aggregateId" | "type">;

const since = ({ aggregateType, aggregateId, type }: EventsOfType, at: number) =>
  tables
    .selectFrom("Event")
    .where("aggregateType", "=", aggregateType)
    .where("aggregateId", "=", aggregateId)
    .where("type", "=", type)
    .where("createdAt", ">=", at);

/** Whether the aggregate has an event of this type that is not older than `at` (epoch milliseconds). */
export async function hasEventSince(tx: Transaction, events: EventsOfType, at: number): Promise<boolean> {
  return (await readOne(tx, bind(since(events, at).select("position").limit(1)))) !== undefined;
}

/** The payload of a stored event, with its number within the aggregate. */
export interface StoredPayload {
  sequence: number;
  payload: Record<string, unknown>;
}

/** Returns the events of an object and a type since a time, epoch milliseconds. */
export function listEventsSince(tx: Transaction, events: EventsOfType, at: number): Promise<StoredPayload[]> {
  return readAll(tx, bind(since(events, at).select(["sequence", "payload"]).$castTo<StoredPayload>()));
}

/** Replaces the payload of an event that counts, which is the only kind of event that changes. */
export async function updateEventPayload(
  tx: Transaction,
  { aggregateType, aggregateId, sequence }: { aggregateType: string; aggregateId: string; sequence: number },
  payload: Record<string, unknown>,
): Promise<void> {
  const event = tables.updateTable("Event").set({ payload }).where("aggregateType", "=", aggregateType);
  await write(tx, bind(event.where("aggregateId", "=", aggregateId).where("sequence", "=", sequence)));
}
