/**
 * Selects whose message (mail or notification to an application) is delivered next, so that no organization delays the
 * others (attack: a slow server of one's own with thousands of queued messages). Only a few messages of an organization
 * are delivered at once, and an organization whose own server was slow is limited to one worker for a while. Each
 * process counts separately.
 */

/** How many messages of an organization are delivered at once: the number of connections we open to one mail server. */
export const AT_ONCE = 4;
/** The duration from which an attempt counts as slow, in milliseconds. */
export const SLOW = 5_000;
/**
 * How long an organization counts as slow, in milliseconds. A fast attempt does not end it, as fast and slow ones could
 * alternate.
 */
export const SLOW_FOR = 10 * 60_000;
/** How many slow organizations are remembered. Beyond that, the oldest entry is dropped. */
const MAX_SLOW = 50;

export interface FairQueue {
  /**
   * Takes the next message. Calls run one after the other, so that each sees what earlier ones took.
   * @param isForSlow whether the caller may wait for a slow server
   * @param lease takes a message of any organization except those it is given
   * @returns the message and a function that ends its attempt; `isOurs` says that it did not use the organization's own
   *   server
   */
  take<Row extends { organizationId: string }>(
    isForSlow: boolean,
    lease: (passedOver: string[]) => Promise<Row | undefined>,
  ): Promise<{ row: Row; release: (isOurs: boolean) => void } | undefined>;
  /** Whether any organization is left to the workers that may wait for a slow server. */
  isAnySlow(): boolean;
}

export function openFairQueue({ clock }: { clock(): number }): FairQueue {
  const underWay = new Map<string, number>();
  /** The time until which each organization counts as slow, in epoch milliseconds. */
  const slowUntil = new Map<string, number>();
  let latest: Promise<unknown> = Promise.resolve();

  const passedOver = (isForSlow: boolean) => {
    const now = clock();
    // An entry further in the future comes from before the clock was set back.
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
        return row && { row, release: begin(row.organizationId) };
      });
      latest = taking.catch(() => {});
      return taking;
    },
  };
}
