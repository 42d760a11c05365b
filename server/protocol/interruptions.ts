/**
 * When the service could not do its work: who got no answer then asks again later, and must not be taken for somebody
 * who repeats what they copied.
 */

/** Seconds after which to try again (RFC 9110 §10.2.3). Well below the grace of refresh tokens. */
export const RETRY_AFTER = 3;

/** Failures further apart than this belong to different interruptions, milliseconds. */
const PAUSE = 30_000;

/**
 * What a start looks back on, milliseconds. The process before it may have been killed with answers on their way, and what
 * was kept of them says nothing of how long nobody was there; as long as the grace that an app may choose.
 */
const BEFORE_START = 60_000;

export interface Interruptions {
  /** The process serves from now on: what happened just before may have had no answer. @param now epoch milliseconds */
  begin(now: number): void;
  /** Somebody was just told to come back. @param now epoch milliseconds */
  note(now: number): void;
  /**
   * When a time of grace ends: it does not run during an interruption that falls into it.
   * @param since epoch milliseconds @param grace milliseconds; 0 stays 0
   */
  graceUntil(since: number, grace: number): number;
}

export function createInterruptions(): Interruptions {
  let latest: { from: number; to: number } | undefined;
  return {
    begin(now) {
      latest = { from: now - BEFORE_START, to: now };
    },
    note(now) {
      const goesOn = latest !== undefined && now - latest.to < PAUSE;
      latest = { from: goesOn && latest ? latest.from : now, to: now };
    },
    graceUntil(since, grace) {
      const end = since + grace;
      if (!latest || grace === 0 || latest.to < since || latest.from > end) return end;
      return latest.to + grace;
    },
  };
}
