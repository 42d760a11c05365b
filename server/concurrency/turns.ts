/**
 * Whose messages are delivered next, mails as well as notices to applications, so that no organization holds up the others
 * (attack: a server of one's own that takes its time, in front of which thousands of messages wait). Of one organization
 * only some are delivered at once, and one whose own server was slow has a single lane from then on. Each process counts
 * for itself.
 */

/** How many messages of an organization are delivered at once: as many as a mail server gets connections from us. */
export const AT_ONCE = 4;
/** From how many milliseconds on an attempt was slow. */
export const SLOW = 5_000;
/** For how long that is remembered, milliseconds. A quick attempt does not end it: quick and slow ones could take turns. */
export const SLOW_FOR = 10 * 60_000;
/** How many slow organizations are remembered; beyond them the one found out first is forgotten. */
const MAX_SLOW = 50;

export interface Turns {
  /**
   * Takes the next message, one call after the other, so that each knows what those before it took.
   * @param isForSlow whether whoever asks may wait for a slow server
   * @param lease takes one that is not of these organizations
   * @returns the message, and what ends its attempt; `isOurs`: it did not go by a server of the organization's own
   */
  take<Row extends { organizationId: string }>(
    isForSlow: boolean,
    lease: (passedOver: string[]) => Promise<Row | undefined>,
  ): Promise<{ row: Row; over: (isOurs: boolean) => void } | undefined>;
  /** Whether any organization is left to those who may wait for a slow server. */
  isAnySlow(): boolean;
}

export function openTurns({ clock }: { clock(): number }): Turns {
  const underWay = new Map<string, number>();
  /** Until when each counts as slow, epoch milliseconds. */
  const slowUntil = new Map<string, number>();
  let latest: Promise<unknown> = Promise.resolve();

  const passedOver = (isForSlow: boolean) => {
    const now = clock();
    // One that is further ahead is of a clock that was set back.
    for (const [id, until] of slowUntil) if (now >= until || until - now > SLOW_FOR) slowUntil.delete(id);
    const busy = [...underWay].flatMap(([id, count]) => (count >= AT_ONCE ? [id] : []));
    return isForSlow ? busy : [...new Set([...busy, ...slowUntil.keys()])];
  };

  const begin = (organizationId: string) => {
    const startedAt = clock();
    underWay.set(organizationId, (underWay.get(organizationId) ?? 0) + 1);
    return (isOurs: boolean) => {
      const left = (underWay.get(organizationId) ?? 1) - 1;
      if (left > 0) underWay.set(organizationId, left);
      else underWay.delete(organizationId);
      if (!isOurs && clock() - startedAt >= SLOW) remember(organizationId);
    };
  };

  const remember = (organizationId: string) => {
    slowUntil.delete(organizationId);
    const [first] = slowUntil.keys();
    if (first !== undefined && slowUntil.size >= MAX_SLOW) slowUntil.delete(first);
    slowUntil.set(organizationId, clock() + SLOW_FOR);
  };

  return {
    isAnySlow: () => slowUntil.size > 0,
    take(isForSlow, lease) {
      const taking = latest.then(async () => {
        const row = await lease(passedOver(isForSlow));
        return row && { row, over: begin(row.organizationId) };
      });
      latest = taking.catch(() => {});
      return taking;
    },
  };
}
