/**
 * When the service could not do its work: who got no answer then asks again later, and must not be taken for somebody
 * who repeats what they copied.
 */

/** Seconds after which to try again (RFC 9110 §10.2.3). Well below the grace of refresh tokens. */
export const RETRY_AFTER = 3;

/** Failures further apart than this belong to different interruptions, milliseconds. */
const PAUSE = 30_000;

/**
 * What a start looks back on at least, milliseconds. The process before it may have been killed with answers on their way;
 * as long as the grace that an app may choose.
 */
const BEFORE_START = 60_000;

/** Milliseconds from one rotation of a refresh token whose time is kept to the next one. */
const KEEP_EVERY = 15_000;

export interface Interruptions {
  /**
   * The process serves from now on: what happened just before may have had no answer.
   * @param now epoch milliseconds
   * @param kept of the last rotation whose time was kept, as `rotated` asked for, epoch milliseconds: the processes before
   * may have been gone for longer than a start looks back by itself
   */
  begin(now: number, kept?: number): void;
  /**
   * A refresh token was rotated; its answer may get lost. @param now epoch milliseconds
   * @returns whether the time is to be kept for the next start. Not while this one is new: whoever got no answer before it
   * may not have come back yet, and if it is killed soon, the next start has to look back on both.
   */
  rotated(now: number): boolean;
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
  let begun = 0;
  let lastKept: number | undefined;
  return {
    begin(now, kept) {
      latest = { from: Math.min(now - BEFORE_START, kept ?? now), to: now };
      begun = now;
      lastKept = kept;
    },
    rotated(now) {
      const isNew = now - begun < PAUSE;
      // A clock that was set back: what lies ahead of it is kept anew.
      const isKept = lastKept !== undefined && lastKept <= now && (isNew || now - lastKept < KEEP_EVERY);
      if (!isKept) lastKept = now;
      return !isKept;
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
