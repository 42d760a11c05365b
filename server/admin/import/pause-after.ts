/** Pauses of an import, so that the service keeps responding. */
import { setTimeout as timer } from "node:timers/promises";
import type { Context } from "../../context";

/** Leaves others twice the time that the import has just taken, so that sign-ins go on beside it. */
export async function pauseAfter({ pause = timer }: Context, begun: number): Promise<void> {
  await pause(2 * (performance.now() - begun));
}
