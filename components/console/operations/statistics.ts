// Statistics of the service as the management API returns them.
import type { AnswerOf } from "../declared";

/** Those of an organization do without what only the whole service has. */
export type Statistics = AnswerOf<"GetStatistics">;
export type InstanceStatistics = AnswerOf<"GetInstanceStatistics">;

/** How many days count as "now" for failing mail. */
const RECENT = 2;

export function recentlyFailed({ mail }: Pick<Statistics, "mail">): number {
  return mail.slice(-RECENT).reduce((count, { failed }) => count + failed, 0);
}
