/**
 * Notifies the owners of an organization that one of its users reported "This wasn't me". Only people who may read that
 * user are notified: the organization's owners, or if it has no others, the service's. Sent once a day per user and to
 * a limited number of people, so that no inbox is flooded by links that are opened repeatedly.
 */
import type { Message } from "../../events/record";
import { accountDisowned, type DisownedFacts } from "../../message-types/account-disowned";
import { messageTo } from "../../message-types/message";
import type { Transaction } from "../../storage/database";
import { hasEventSince } from "../../storage/event/event";
import { readInstanceId } from "../../storage/instance/instance";
import { readOwnersToTell } from "../../storage/member/membership";
import type { UserRow } from "../../storage/user/user";
import { readPolicyIn } from "../policy/policies";

const DAY = 86_400_000;
/** The maximum number of owners who are notified. */
const MAX_RECIPIENTS = 20;

const said = (aggregateId: string) => ({ aggregateType: "user", aggregateId, type: "user.disowned" });

/**
 * Returns the notices. Called inside the change, before its event, and reads only in its transaction: it must not wait
 * for a second connection while it holds one.
 * @param who the user's names before anything was reverted
 */
export async function securedNotices(
  tx: Transaction,
  { id, organizationId }: Pick<UserRow, "id" | "organizationId">,
  who: Pick<DisownedFacts, "name" | "loginName">,
  at: number,
): Promise<Message[]> {
  const { accountDisowned: tells } = await readPolicyIn(tx, "notification", organizationId);
  if (!tells || (await hasEventSince(tx, said(id), at - DAY))) return [];
  const facts: DisownedFacts = { at, userId: id, organizationId, ...who };
  const wanted = { except: id, limit: MAX_RECIPIENTS };
  const owners = await readOwnersToTell(tx, { level: "organization", levelId: organizationId, ...wanted });
  if (owners.length > 0) return owners.flatMap((owner) => told(owner, organizationId, facts));
  // The organization's texts and look are not used for mails to the service's owners.
  const serviceId = await readInstanceId(tx);
  const ofService = await readOwnersToTell(tx, { level: "instance", levelId: serviceId, ...wanted });
  return ofService.flatMap((owner) => told(owner, serviceId, facts));
}

/**
 * Returns the message to an owner.
 * @param sender the organization whose texts are used and who sees the mail; never the organization of a guest
 */
const told = (owner: { id: string; email: string }, sender: string, facts: DisownedFacts): Message[] =>
  messageTo<DisownedFacts>(accountDisowned, { ...owner, organizationId: sender }, facts);
