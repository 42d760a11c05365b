/** The pace of an import, so that the service keeps responding: short batches, with pauses between them. */
import { setTimeout as timer } from "node:timers/promises";
import type { Context } from "../../context";

/** How long a batch should take, in milliseconds: other writes wait for it (the embedded database has one writer). */
const WANTED = 40;
const FIRST_SIZE = 10;
const MAX_SIZE = 100;

export interface Pace {
  /** How many entries the next batch should have. */
  size: number;
}

export const newPace = (): Pace => ({ size: FIRST_SIZE });

/**
 * Does a batch of `count` entries, and leaves others twice the time that it has taken. If it waited for other writes or
 * for a processor, the next one is smaller.
 */
export async function paced<T>(
  { pause = timer }: Context,
  pace: Pace,
  count: number,
  batch: () => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  const outcome = await batch();
  const taken = performance.now() - begun;
  const fit = Math.min(Math.max(Math.round((count * WANTED) / taken), pace.size >> 1), 2 * pace.size);
  pace.size = Math.min(Math.max(fit, 1), MAX_SIZE);
  await pause(2 * taken);
  return outcome;
}
