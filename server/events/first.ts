/**
 * The first event of a new object, as rows that can be written together with the object in one batch. The new aggregate
 * is not known to other writers yet, so its sequence number needs no lock.
 */
import type { Context } from "../context";
import type { Insert } from "../storage/database";
import { aggregateTypeOf, type EventPayload, type EventType, pickPayload } from "./catalogue";
import { type ChangedAggregate, columnsOf, type Origin } from "./record";

export interface FirstEvent<Type extends EventType> {
  type: Type;
  /** A new object; the database rejects an id that has events already. */
  object: ChangedAggregate;
  origin: Origin;
  payload: EventPayload<Type>;
}

/** Returns the head of the aggregate and its event number 1. */
export function firstEvent<Type extends EventType>(ctx: Context, event: FirstEvent<Type>): Insert[] {
  const { type, object, origin } = event;
  const at = new Date(ctx.clock());
  const aggregateType = aggregateTypeOf(type);
  return [
    {
      table: "Aggregate",
      row: {
        type: aggregateType,
        id: object.id,
        resourceOwner: object.organizationId,
        sequence: 1,
        createdAt: at,
        changedAt: at,
      },
    },
    {
      table: "Event",
      row: {
        aggregateType,
        aggregateId: object.id,
        sequence: 1,
        type,
        resourceOwner: object.organizationId,
        ...columnsOf(origin),
        payload: JSON.stringify(pickPayload(type, event.payload)),
        createdAt: at,
      },
    },
  ];
}
