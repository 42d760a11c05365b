/**
 * Records which answers with refresh tokens have left their process, for all processes that share the database. A
 * rotation may be committed and its answer lost, if the connection to the database or the process ends first. The
 * client then presents the used token again, to any process. Only an answer that was given proves that the token was
 * copied (docs/decisions/0032-answers-that-were-given.md).
 *
 * A grant names the answer that issued its current refresh token: `process:time`. Each process stores the time up to
 * which its answers were given. It takes another name after a lost answer, so that this answer never counts as given.
 */
import { randomSecret } from "./crypto/random";
import type { Database } from "./storage/database";
import { isUnavailable } from "./storage/engine/unavailable";
import { findGivenUntil, keepGivenUntil, markLost, type Unanswered } from "./storage/grant/given-answers";

/**
 * The part of the grace after which an answer counts as given: by then it has reached its client, or the client is
 * about to come again. It is written within twice that time, so before the grace ends.
 */
const SHARE_OF_GRACE = 0.25;
/** Milliseconds. */
const [SHORTEST, LONGEST] = [250, 5_000];
/** Milliseconds between two attempts to write while the database is unavailable. */
const PAUSE = 1_000;
/** How many requests without an answer are remembered during an outage. */
const MOST_UNANSWERED = 10_000;

export interface RefreshAnswer {
  /** The value that the grant stores for this answer. */
  name: string;
  /** Marks the answer as given. */
  given(): void;
  /** Marks the answer as failed, whatever was committed. */
  lost(): void;
}

export interface RefreshAnswers {
  /** @param now epoch milliseconds */
  begin(now: number): RefreshAnswer;
  /** Whether an answer of this or another process was given. @param name as `RefreshAnswer.name` */
  wereGiven(name: string): Promise<boolean>;
  /** Stores, as soon as the database is available, that a request got no answer. */
  missed(request: Unanswered): void;
  /** Writes what is known now, before the process ends. */
  flush(): Promise<void>;
}

/** The answers under one name. */
interface Period {
  process: string;
  /** The times of unfinished answers, in order. */
  open: Set<{ at: number }>;
  latest: number;
  /** The time that is stored in the database. */
  kept: number;
}

const newPeriod = (): Period => ({ process: randomSecret().slice(0, 12), open: new Set(), latest: 0, kept: 0 });

/** The time up to which all answers of a period were given. */
function givenUntil({ open, latest }: Period): number {
  const [oldest] = open;
  return oldest ? oldest.at - 1 : latest;
}

/** @param grace of refresh tokens, milliseconds */
export function createRefreshAnswers(db: Database, grace: number): RefreshAnswers {
  const departure = Math.min(Math.max(grace * SHARE_OF_GRACE, SHORTEST), LONGEST);
  let period = newPeriod();
  let timer: NodeJS.Timeout | undefined;
  let noting: NodeJS.Timeout | undefined;
  const unanswered = new Map<string, Unanswered>();

  async function keep(of: Period, until: number): Promise<void> {
    if (until <= of.kept) return;
    await keepGivenUntil(db, of.process, until);
    of.kept = until;
  }

  /** What is given now is written when it has left. */
  function keepSoon(): void {
    const [of, until] = [period, givenUntil(period)];
    if (timer || until <= of.kept) return;
    timer = setTimeout(async () => {
      const isOver = await keep(of, until).then(
        () => true,
        (error) => !isUnavailable(error),
      );
      timer = undefined;
      if (isOver && of.kept < until) return; // the database was closed
      keepSoon();
    }, departure).unref();
  }

  async function noteUnanswered(): Promise<void> {
    for (const [key, request] of unanswered) {
      await markLost(db, request);
      unanswered.delete(key);
    }
  }

  function noteSoon(delay: number): void {
    if (noting) return;
    noting = setTimeout(async () => {
      const again = await noteUnanswered().then(() => unanswered.size > 0, isUnavailable);
      noting = undefined;
      if (again) noteSoon(PAUSE);
    }, delay).unref();
  }

  return {
    begin(now) {
      if (now < period.latest) period = newPeriod(); // the clock was set back
      const of = period;
      const answer = { at: now };
      of.open.add(answer);
      of.latest = now;
      return {
        name: `${of.process}:${now}`,
        given() {
          of.open.delete(answer);
          if (of === period) keepSoon();
        },
        lost() {
          if (of === period) period = newPeriod();
        },
      };
    },
    async wereGiven(name) {
      const [process = "", time] = name.split(":");
      if (process === period.process) return Number(time) <= givenUntil(period);
      const until = await findGivenUntil(db, process);
      return until !== undefined && Number(time) <= until;
    },
    missed(request) {
      const key = `${request.grantId}:${request.generation}`;
      // The first request counts: later ones may be after the grace.
      if (unanswered.has(key) || unanswered.size >= MOST_UNANSWERED) return;
      unanswered.set(key, request);
      noteSoon(0);
    },
    async flush() {
      await keep(period, givenUntil(period));
      await noteUnanswered();
    },
  };
}
