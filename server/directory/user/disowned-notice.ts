/**
 * Telling those who look after an organization that one of its people said "This wasn't me". Only people who may read
 * that person are told: the organization's owners, and where nobody else owns it, the service's. Once a day for each
 * person, and to a few, so that nobody's inbox is flooded through links that are opened again and again.
 */
import type { Message } from "../../events/record";
import { accountDisowned, type DisownedFacts } from "../../message-types/account-disowned";
import { messageTo } from "../../message-types/message";
import type { Transaction } from "../../storage/database";
import { hasEventSince } from "../../storage/events";
import { readInstanceId } from "../../storage/instance";
import { readOwnersToTell } from "../../storage/memberships";
import type { UserRow } from "../../storage/users";
import { readPolicyIn } from "../policy/policies";

const DAY = 86_400_000;
/** Owners who are told, at most. */
const MAX_RECIPIENTS = 20;

const said = (aggregateId: string) => ({ aggregateType: "user", aggregateId, type: "user.disowned" });

/**
 * Made inside the change, before its event, from what its transaction reads alone: it must not wait for a second
 * connection while it holds one.
 * @param who how the person was called before anything was undone
 */
export async function disownedNotices(
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
  // What that organization says and how it looks does not reach the service's owners.
  const serviceId = await readInstanceId(tx);
  const ofService = await readOwnersToTell(tx, { level: "instance", levelId: serviceId, ...wanted });
  return ofService.flatMap((owner) => told(owner, serviceId, facts));
}

/** @param sender whose text it is, and who sees it among the mails: never the organization of a guest */
const told = (owner: { id: string; email: string }, sender: string, facts: DisownedFacts): Message[] =>
  messageTo<DisownedFacts>(accountDisowned, { ...owner, organizationId: sender }, facts);
