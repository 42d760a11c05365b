/**
 * The only way to change the directory: the new state, its event and its messages are written in one transaction. The
 * audit trail therefore has no gaps, no message is lost, and none is sent for a change that was rolled back.
 */
import type { Context } from "../context";
import { newId } from "../crypto/random";
import type { Transaction, Unit } from "../storage/database";
import {
  type AggregateRow,
  appendEvent,
  appendEvents,
  commitEvent,
  findAggregate,
  readAggregate,
} from "../storage/event/event";
import { insertOutboxMessages, type NewOutboxMessage } from "../storage/message/outbox";
import type { ChangedObject } from "./announced";
import { type AggregateType, aggregateTypeOf, type EventPayload, type EventType, pickPayload } from "./catalogue";

/** The actor of a change, and the request that caused it. */
export interface Origin {
  /** A user id, or `bootstrap`, `operator`, `system`. */
  actor: string;
  requestId?: string;
  /** The IP address of the request. */
  address?: string;
  /** The browser and its system; used in notices to the user, not stored in events. */
  device?: string;
  /** The client that the actor used. */
  clientId?: string;
}

/** The context of a use case that changes something: also who asks for the change, and by which request. */
export interface OriginContext extends Context {
  origin: Origin;
}

/** Returns the context of a change that no user makes. */
export const asSystem = <Ctx extends Context>(ctx: Ctx, cause: Cause = {}): Ctx & OriginContext => ({
  ...ctx,
  origin: { actor: "system", ...cause },
});

/** The context within a transaction: every statement of its functions uses `tx`. */
export interface TransactionContext extends Context {
  tx: Transaction;
}

/** The context within the transaction of a change. */
export interface ChangeContext extends OriginContext, TransactionContext {}

/** The origin of a change without the actor. */
export type Cause = Omit<Origin, "actor">;

/** Returns the origin as columns of the event. */
export const columnsOf = ({ actor, requestId, address, clientId }: Origin) => ({
  actor,
  requestId: requestId ?? null,
  address: address ?? null,
  clientId: clientId ?? null,
});

/** The details of a changed object that callers of the management APIs get (rule API-3). */
export interface Details {
  /** uint64 as a string. */
  sequence: string;
  /** ISO 8601, UTC. */
  creationDate: string;
  changeDate: string;
  /** Organization id; the instance id at instance level. */
  resourceOwner: string;
}

/** A message to be sent because of the change. */
export interface Message {
  /** Generated if omitted. */
  id?: string;
  type: string;
  organizationId: string;
  userId?: string;
  recipient: string;
  payload?: Record<string, unknown>;
  /** Epoch milliseconds. */
  expiresAt?: number;
}

/** Nothing had to be changed: no event is recorded, no message is sent. */
export const UNCHANGED = "unchanged";

export interface Changed<Type extends EventType> {
  /**
   * Whether the object did not exist, although an earlier one may have had the same id: its creation date is now (rule
   * API-3).
   */
  isNew?: boolean;
  payload?: EventPayload<Type>;
  messages?: readonly Message[];
}

/** The object that a change is about. */
export interface ChangedAggregate {
  id: string;
  /** The organization that owns it; the instance's id at instance level. */
  organizationId: string;
}

export interface Change<Type extends EventType> {
  type: Type;
  object: ChangedAggregate;
  /**
   * Writes the new state; `now` is the time of the change in epoch milliseconds. Returns the content of the event and
   * the messages.
   */
  state(ctx: ChangeContext, now: number): Promise<Changed<Type> | typeof UNCHANGED>;
}

/** By transaction, the list to which its changes are added. */
const collected = new WeakMap<Transaction, ChangedObject[]>();

/** Adds to `changes` what the transaction changes from now on. */
export function collectChanges(tx: Transaction, changes: ChangedObject[]): void {
  collected.set(tx, changes);
}

/**
 * Notes that the transaction changes an object. `recordIn` and `recordManyIn` call it. Functions that may find that
 * nothing differs call it, too: a process may have made the change and ended before it announced it.
 */
export function noteChange(tx: Transaction, type: EventType, aggregateId: string): void {
  collected.get(tx)?.push({ type, aggregateId });
}

/** Returns the row of an event. */
function eventOf<Type extends EventType>(
  type: Type,
  object: ChangedAggregate,
  origin: Origin,
  payload: EventPayload<Type> | undefined,
  now: number,
) {
  return {
    aggregateType: aggregateTypeOf(type),
    aggregateId: object.id,
    type,
    resourceOwner: object.organizationId,
    now,
    ...columnsOf(origin),
    payload: pickPayload(type, payload ?? {}),
  };
}

/** Runs `work` in a transaction. Changes of what caches have use `changeDirectory`. */
export function inTransaction<T, Ctx extends Context>(
  ctx: Ctx,
  work: (ctx: Ctx & TransactionContext) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction((tx) => work({ ...ctx, tx }));
}

/** Makes one change in a separate transaction. */
export function record<Type extends EventType>(ctx: OriginContext, change: Change<Type>): Promise<Details> {
  return inTransaction(ctx, (ctx) => recordIn(ctx, change));
}

/** A change that inserts rows and at most updates markers in others. */
export interface NewRows<Type extends EventType> extends Omit<Change<Type>, "state"> {
  payload: EventPayload<Type>;
  /** Returns the rows, without a guard: the event has its own. */
  rows(now: number): Omit<Unit, "guard">;
}

/** Makes a change that needs no prior reads, in one batch: several times cheaper than a transaction. */
export async function recordNewRows<Type extends EventType>(ctx: OriginContext, change: NewRows<Type>): Promise<void> {
  const { type, object, payload } = change;
  const now = ctx.clock();
  await commitEvent(ctx.db, eventOf(type, object, ctx.origin, payload, now), change.rows(now));
}

/** Makes a change within a transaction that also makes others. */
export async function recordIn<Type extends EventType>(ctx: ChangeContext, change: Change<Type>): Promise<Details> {
  const { tx, origin } = ctx;
  const { type, object } = change;
  const now = ctx.clock();
  noteChange(tx, type, object.id);
  const changed = await change.state(ctx, now);
  if (changed === UNCHANGED) {
    const head = await readAggregate(tx, aggregateTypeOf(type), object.id);
    return head ? toDetails(head) : detailsOfNothing(tx, object.organizationId);
  }
  const event = eventOf(type, object, origin, changed.payload, now);
  const head = await appendEvent(ctx.db, tx, event, { isNew: changed.isNew });
  await insertOutboxMessages(tx, toRows(changed.messages ?? [], now));
  return toDetails(head);
}

/**
 * Returns the details of an object about which nothing was ever recorded, for responses that require complete details.
 * They have the dates of the owner, so they are the same at each call.
 * @param resourceOwner an organization or the instance
 */
export async function detailsOfNothing(tx: Transaction, resourceOwner: string): Promise<Details> {
  const owner =
    (await readAggregate(tx, "organization", resourceOwner)) ?? (await readAggregate(tx, "instance", resourceOwner));
  const since = owner?.createdAt ?? 0;
  return toDetails({ sequence: 0, resourceOwner, createdAt: since, changedAt: since });
}

/** One of many changes of the same type. */
export interface ChangedOne<Type extends EventType> extends Changed<Type> {
  object: ChangedAggregate;
}

/**
 * Makes a change of one type to many objects, in a constant number of statements; no object may occur twice.
 * @param change.state writes the new state of all objects and returns the content of their events and messages
 */
export async function recordManyIn<Type extends EventType>(
  ctx: ChangeContext,
  change: { type: Type; state(ctx: ChangeContext, now: number): Promise<readonly ChangedOne<Type>[]> },
): Promise<void> {
  const { tx, origin } = ctx;
  const { type } = change;
  const now = ctx.clock();
  const changed = await change.state(ctx, now);
  for (const { object } of changed) noteChange(tx, type, object.id);
  const events = changed.map(({ object, payload }) => eventOf(type, object, origin, payload, now));
  await appendEvents(ctx.db, tx, events);
  const messages = changed.flatMap((one) => one.messages ?? []);
  await insertOutboxMessages(tx, toRows(messages, now));
}

function toRows(messages: readonly Message[], createdAt: number): NewOutboxMessage[] {
  return messages.map((message) => ({
    id: message.id ?? newId(),
    type: message.type,
    organizationId: message.organizationId,
    userId: message.userId ?? null,
    recipient: message.recipient,
    payload: message.payload ?? {},
    createdAt,
    expiresAt: message.expiresAt ?? null,
  }));
}

export function toDetails(head: AggregateRow): Details {
  return {
    sequence: String(head.sequence),
    creationDate: new Date(head.createdAt).toISOString(),
    changeDate: new Date(head.changedAt).toISOString(),
    resourceOwner: head.resourceOwner,
  };
}

/** Returns the details; undefined if nothing was ever recorded about the object. */
export async function findDetails(ctx: Context, type: AggregateType, id: string): Promise<Details | undefined> {
  const head = await findAggregate(ctx.db, type, id);
  return head && toDetails(head);
}
