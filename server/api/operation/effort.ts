/**
 * Limits the concurrent requests of one caller and one organization (attack: one tenant's machines that keep everyone
 * else waiting). Additional requests would not finish earlier, but would occupy the shared resources: the database
 * writer, the connections and password hashing. Operations declare their effort, and perform.ts applies the limit.
 */
import type { Caller } from "../../access/caller";
import { createKeyedQueues, QueueFull, type QueueLimit } from "../../concurrency/queue";
import { type ApiError, resourceExhausted } from "../../protocol/api-error";
import { isStreamed } from "./streamed";

/**
 * - `heavy`: reads or writes thousands of rows, or a large body; requests over the limit are rejected;
 * - `search`: examines many rows for a short response; waits in a queue;
 * - `call`: calls a server that the caller names; waits in a queue of its own.
 */
export type Effort = "heavy" | "search" | "call";

/** The effort of operations that declare none. */
type Usual = "read" | "change";

const LIMITS: Readonly<Record<Effort | Usual, { caller: QueueLimit; organization: QueueLimit }>> = {
  heavy: { caller: { atOnce: 2, waiting: 0 }, organization: { atOnce: 4, waiting: 0 } },
  search: { caller: { atOnce: 2, waiting: 50 }, organization: { atOnce: 4, waiting: 200 } },
  call: { caller: { atOnce: 2, waiting: 50 }, organization: { atOnce: 4, waiting: 200 } },
  change: { caller: { atOnce: 2, waiting: 1_000 }, organization: { atOnce: 4, waiting: 2_000 } },
  read: { caller: { atOnce: 4, waiting: 1_000 }, organization: { atOnce: 8, waiting: 2_000 } },
};
/** Retry-After of rejected requests, in seconds. */
const RETRY_AFTER = 5;

const queues = createKeyedQueues();

/** Returns the declared effort, or the one derived from the method and path. */
export function effortOf({ effort, method, path }: { effort?: Effort; method: string; path: string }): Effort | Usual {
  return effort ?? (method === "GET" || path.endsWith("_search") ? "read" : "change");
}

/**
 * Runs the work when the caller and the caller's organization are below their limits. A streamed response occupies its
 * slot until it has been sent.
 */
export function withEffort<Answer extends object>(
  effort: Effort | Usual,
  { userId, organizationId }: Pick<Caller, "userId" | "organizationId">,
  work: () => Promise<Answer | ApiError>,
  signal: AbortSignal | undefined,
): Promise<Answer | ApiError> {
  const { caller, organization } = LIMITS[effort];
  return new Promise((resolve, reject) => {
    const untilSent = async () => {
      const answer = await work();
      resolve(answer);
      if (isStreamed(answer)) await answer.sent;
    };
    const ofOrganization = () => queues.run(`${effort} of ${organizationId}`, organization, untilSent, signal);
    queues.run(`${effort} by ${userId}`, caller, ofOrganization, signal).catch((error: unknown) => {
      if (error instanceof QueueFull) resolve(tooMuch());
      else reject(error);
    });
  });
}

function tooMuch(): ApiError {
  const reason =
    "Too many requests of this kind are in progress for you or your organization. Try again when they end.";
  return resourceExhausted("access.too_many_heavy_requests", reason, { retryAfter: RETRY_AFTER });
}
