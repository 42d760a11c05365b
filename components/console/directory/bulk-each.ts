// Changes people of several organizations: those of each by its own operation, as whoever may do it there is asked there.
import type { AnswerOf } from "../declared";
import { type Answer, noAnswer, type Refusal } from "../refusal";
import type { Selectable } from "./user-selection";

export type BulkDone = AnswerOf<"BulkDeactivateUsers">;

/** What an operation is asked for. */
export interface BulkRequest {
  organizationId: string;
  body: { userIds: string[] };
}

export interface BulkOutcome {
  /** Of all organizations that answered; undefined if none did. */
  done: BulkDone | undefined;
  /** The first organization's that refused the whole. */
  refusal: Refusal | undefined;
  /** Who was not changed. */
  left: string[];
}

/** One organization after the other; a refusal of one keeps no other from it. */
export async function changeInEach(
  chosen: readonly Selectable[],
  perform: (request: BulkRequest) => Promise<Answer<BulkDone>>,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: undefined, refusal: undefined, left: [] };
  for (const organizationId of new Set(chosen.map((one) => one.organizationId))) {
    const userIds = chosen.filter((one) => one.organizationId === organizationId).map(({ id }) => id);
    const answer = await perform({ organizationId, body: { userIds } }).catch(noAnswer);
    if (!answer.ok) {
      outcome.refusal ??= answer.refusal;
      outcome.left.push(...userIds);
      continue;
    }
    const { changed, refused, results } = answer.body;
    const before = outcome.done ?? { changed: 0, refused: 0, results: [] };
    outcome.done = {
      changed: before.changed + changed,
      refused: before.refused + refused,
      results: [...before.results, ...results],
    };
    outcome.left.push(...results.flatMap(({ userId, error }) => (error ? [userId] : [])));
  }
  return outcome;
}
