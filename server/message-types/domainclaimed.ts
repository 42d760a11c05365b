import type { Message } from "../events/record";
import { messageType } from "./definition";
import { messageTo, type Recipient } from "./message";
import { variable } from "./variable";

interface Claim {
  domain: string;
  temporaryUserName: string;
}

/** "Your login name has changed". */
export const domainclaimed = messageType({
  slug: "domainclaimed",
  purpose: "changes",
  channel: "mail",
  variables: [
    variable("Domain", "The domain another organization has claimed.", "acme.example", { valueKind: "host" }),
    variable("TempUsername", "The user name that works from now on.", "01890a5dac96@temporary.id.acme.test", {
      valueKind: "mailbox",
      aliases: ["TempUserName"],
    }),
  ],
  given: ["LastEmail"],
  procedures: { name: "DomainClaimed", isCustomText: true },
  values: ({ domain, temporaryUserName }: Partial<Claim>) => ({ Domain: domain, TempUsername: temporaryUserName }),
  loginHint: ({ temporaryUserName }: Partial<Claim>) => temporaryUserName,
});

/**
 * Creates the messages to users who lose a user name to a claimed domain (directory/organization/domain-claim.ts). They
 * are sent to the last address, verified or not: the user has no other way to learn the new name.
 */
export function domainClaimed(user: Recipient, claim: Claim): Message[] {
  return messageTo(domainclaimed, user, { ...claim });
}
