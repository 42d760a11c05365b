// Changes users of several organizations: one request per organization, because permissions are checked there.
import type { AnswerOf } from "../../../shared/declared";
import { type Answer, noAnswer, type Refusal } from "../../../shared/refusal";
import type { Selectable } from "./user-selection";

export type BulkDone = AnswerOf<"BulkDeactivateUsers">;

/** The request to an operation. */
export interface BulkRequest {
  organizationId: string;
  body: { userIds: string[] };
}

export interface BulkOutcome {
  /** The results of all organizations that responded; undefined if none did. */
  done: BulkDone | undefined;
  /** The first refusal of a whole request. */
  refusal: Refusal | undefined;
  /** The users who were not changed. */
  left: string[];
}

/** Sends the requests one after the other; a refusal does not stop the others. */
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
