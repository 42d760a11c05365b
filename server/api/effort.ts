/**
 * How much of the service one caller may occupy (attack: one tenant's machine that keeps everybody else waiting, or ten of
 * its machines). Whatever an operation costs, only a few of a caller and of an organization are under way: the rest would
 * not be done earlier, but stand before everybody else at what all share, the writer and the connections of the database
 * and the hashing of passwords. What takes long is declared on the operation; perform.ts asks here, once for all.
 */
import type { Caller } from "../access/caller";
import { createLines, LineFull, type LineLimit } from "../concurrency/lines";
import { type ApiError, resourceExhausted } from "../protocol/api-error";
import { isStreamed } from "./streamed";

/**
 * - `heavy`: reads or writes thousands of rows, or a large body: who has as many under way as they may is refused;
 * - `search`: looks at many rows for a short answer: waits in line;
 * - `call`: waits for a server that the caller names: waits in line, but not before what the service does itself.
 */
export type Effort = "heavy" | "search" | "call";

/** What every other operation does. */
type Usual = "read" | "change";

const LIMITS: Readonly<Record<Effort | Usual, { caller: LineLimit; organization: LineLimit }>> = {
  heavy: { caller: { atOnce: 2, waiting: 0 }, organization: { atOnce: 4, waiting: 0 } },
  search: { caller: { atOnce: 2, waiting: 50 }, organization: { atOnce: 4, waiting: 200 } },
  call: { caller: { atOnce: 2, waiting: 50 }, organization: { atOnce: 4, waiting: 200 } },
  change: { caller: { atOnce: 2, waiting: 1_000 }, organization: { atOnce: 4, waiting: 2_000 } },
  read: { caller: { atOnce: 4, waiting: 1_000 }, organization: { atOnce: 8, waiting: 2_000 } },
};
/** Seconds after which who was refused may try again. */
const RETRY_AFTER = 5;

const lines = createLines();

/** What the operation costs: as declared, else what its method says. */
export function effortOf({ effort, method, path }: { effort?: Effort; method: string; path: string }): Effort | Usual {
  return effort ?? (method === "GET" || path.endsWith("_search") ? "read" : "change");
}

/**
 * Does the work when it is the caller's turn; a streamed answer keeps its place until it has been sent. It also counts
 * for the caller's organization, so that many machines of one tenant are no more than a few.
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
    const ofOrganization = () => lines.run(`${effort} of ${organizationId}`, organization, untilSent, signal);
    lines.run(`${effort} by ${userId}`, caller, ofOrganization, signal).catch((error: unknown) => {
      if (error instanceof LineFull) resolve(tooMuch());
      else reject(error);
    });
  });
}

function tooMuch(): ApiError {
  const reason = "Too much of this kind is under way for you or your organization: try again when it is done.";
  return resourceExhausted("access.too_many_heavy_requests", reason, { retryAfter: RETRY_AFTER });
}
