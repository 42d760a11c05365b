/** Reads the details of an object: the number and times of its events, its owner (Spec: Details object). */
import type { Context } from "../context";
import { findAggregate } from "../storage/events";
import type { AggregateType } from "./catalogue";
import { type Details, toDetails } from "./record";

/** Undefined for an object nothing was ever recorded of. */
export async function findDetails(ctx: Context, type: AggregateType, id: string): Promise<Details | undefined> {
  const head = await findAggregate(ctx.db, type, id);
  return head && toDetails(head);
}
