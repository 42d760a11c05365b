/** Reads the details of an object: its owner, how often and when it was changed (rule API-3). */
import type { Context } from "../context";
import { findAggregate } from "../storage/event/event";
import type { AggregateType } from "./catalogue";
import { type Details, toDetails } from "./record";

/** Returns the details; undefined if nothing was ever recorded about the object. */
export async function findDetails(ctx: Context, type: AggregateType, id: string): Promise<Details | undefined> {
  const head = await findAggregate(ctx.db, type, id);
  return head && toDetails(head);
}
