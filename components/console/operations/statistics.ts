// Statistics of the service as the management API returns them.
import type { AnswerOf } from "../../../shared/declared";

/** The statistics of an organization, which lack the members that only exist for the service. */
export type Statistics = AnswerOf<"GetStatistics">;
export type InstanceStatistics = AnswerOf<"GetInstanceStatistics">;

/** The channels of messages with the texts that name their failures. */
const FAILED = {
  email: "overview.failedEmails",
  sms: "overview.failedTextMessages",
  webhook: "overview.failedWebhooks",
} as const;

/** Returns the messages that failed since yesterday by channel, with the query that lists them in the email log. */
export function recentlyFailed({ attention }: Pick<Statistics, "attention">) {
  const channels = Object.keys(FAILED) as (keyof typeof FAILED)[];
  return channels.map((channel) => ({
    channel,
    label: FAILED[channel],
    count: attention.failedMessages[channel],
    query: { state: "failed", channel },
  }));
}
