/**
 * The message to the owners of an organization after a user reported a change of their account as not theirs ("This
 * wasn't me"). The origin of the report is in the audit log.
 */
import { messageType } from "./definition";
import { WHEN } from "./notice";
import { variable } from "./variable";

/** The affected user. Queued messages contain these members, so their names must never change. */
export interface DisownedFacts {
  /** Epoch milliseconds. */
  at: number;
  userId: string;
  organizationId: string;
  name: string;
  loginName: string;
}

const VARIABLES = [
  WHEN,
  variable("PersonName", "The name of the person who said it.", "Grace Hopper", { isName: true }),
  variable("PersonLoginName", "Their login name.", "grace@acme.test", { valueKind: "mailbox" }),
];

export const accountDisowned = messageType<"account_disowned", DisownedFacts>({
  slug: "account_disowned",
  purpose: "security",
  channel: "mail",
  variables: VARIABLES,
  given: ["LastEmail", "VerifiedEmail"],
  landsOn: ({ userId, organizationId }) =>
    userId === undefined || organizationId === undefined
      ? "/console"
      : `/console/organizations/${encodeURIComponent(organizationId)}/users/${encodeURIComponent(userId)}`,
  values: ({ at, name, loginName }, reader) => ({
    When: at === undefined ? undefined : reader.time(at),
    PersonName: name,
    PersonLoginName: loginName,
  }),
});
