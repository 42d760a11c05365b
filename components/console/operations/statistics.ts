// Statistics of the service as the management API returns them.
import type { AnswerOf } from "../../../shared/declared";

/** The statistics of an organization, which lack the members that only exist for the service. */
export type Statistics = AnswerOf<"GetStatistics">;
export type InstanceStatistics = AnswerOf<"GetInstanceStatistics">;

/** The number of days that count as recent for failing mail. */
const RECENT = 2;

export function recentlyFailed({ mail }: Pick<Statistics, "mail">): number {
  return mail.slice(-RECENT).reduce((count, { failed }) => count + failed, 0);
}
