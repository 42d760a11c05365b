/**
 * "This wasn't me": reverts what an attacker did to an account, with the link of the notice about it. Everything in the
 * account since the time of the reported event is revoked: sessions and tokens end, the password is removed, factors
 * added since are removed, email address and phone number are restored, and administrators are notified (attacks: a
 * planted passkey, an address that was changed to lock the owner out). Links of later notices become void, because an
 * attacker may read those; links of earlier notices stay valid, so that an attacker who changed the address twice gains
 * nothing by being first.
 */
import { type ChangeContext, type Message, recordIn } from "../../events/record";
import { accountDisowned, type DisownedFacts } from "../../message-types/account-disowned";
import { messageTo } from "../../message-types/message";
import type { Transaction } from "../../storage/database";
import { hasEventSince } from "../../storage/event/event";
import { deleteRecoveryCodesSince, listFactorsSince, listPasskeysSince } from "../../storage/factor/second-factors";
import { readInstanceId } from "../../storage/instance/instance";
import { readOwnersToTell } from "../../storage/member/membership";
import {
  consumeOneTimeToken,
  type OneTimeTokenRow,
  type TokenPurpose,
  voidOneTimeTokens,
} from "../../storage/user/one-time-tokens";
import { type UserRow, updateUser } from "../../storage/user/user";
import { NOT_ME_PURPOSE, type StoredNotMe } from "../mailed-code/not-me-link";
import { readPolicyIn } from "../policy/policies";
import { withdrawConsent } from "./consent";
import { removePasskeyIn } from "./passkey";
import { dropUselessCodes, removeFactorIn } from "./second-factor";
import { changePerson } from "./user";

/** Codes that an attacker may have requested. */
const CODES: readonly TokenPurpose[] = [
  "password_reset",
  "passkey_registration",
  "email_verification",
  "phone_verification",
  "second_factor",
  "app_enrolment",
];

/**
 * Consumes the link, within a transaction of `changeDirectory`.
 * @param who the user's names, for those who are notified
 * @param ctx its actor is the service, so that no notice is sent to the attacker's address
 * @returns false if the link was used meanwhile
 */
export async function secureAccountIn(
  ctx: ChangeContext,
  stored: UserRow,
  { digest, payload, createdAt }: OneTimeTokenRow<StoredNotMe>,
  who: Pick<DisownedFacts, "name" | "loginName">,
): Promise<boolean> {
  if (!(await consumeOneTimeToken(ctx.tx, digest, NOT_ME_PURPOSE, ctx.clock()))) return false;
  const { email, isEmailTrusted, phone, isPhoneVerified, at, notice, clientId } = payload;
  await recordIn(ctx, {
    type: "user.disowned",
    object: stored,
    async state(_, now) {
      await voidOneTimeTokens(ctx.db, ctx.tx, NOT_ME_PURPOSE, now, stored.id, createdAt);
      for (const purpose of CODES) await voidOneTimeTokens(ctx.db, ctx.tx, purpose, now, stored.id);
      const password = { passwordHash: null, passwordChangedAt: now, passwordChangeRequired: false };
      await updateUser(ctx.tx, stored.id, { ...password, validFrom: now }, now);
      return { payload: { notice }, messages: await securedNotices(ctx.tx, stored, who, now) };
    },
  });
  const contacts = {
    ...(stored.email !== email && { email, isEmailVerified: true, isEmailTrusted }),
    ...(stored.phone !== phone && { phone, isPhoneVerified }),
  };
  await changePerson(ctx, stored, contacts);
  await removeAddedSince(ctx, stored, at);
  if (clientId !== undefined) {
    const { id: userId, organizationId } = stored;
    await withdrawConsent({ ...ctx, origin: { ...ctx.origin, actor: userId } }, { userId, organizationId }, clientId);
  }
  return true;
}

async function removeAddedSince(ctx: ChangeContext, user: UserRow, at: number): Promise<void> {
  for (const passkey of await listPasskeysSince(ctx.tx, user.id, at)) await removePasskeyIn(ctx, user, passkey);
  for (const { id } of await listFactorsSince(ctx.tx, user.id, at)) await removeFactorIn(ctx, user, id);
  await deleteRecoveryCodesSince(ctx.tx, user.id, at);
  await dropUselessCodes(ctx, user.id, ctx.clock());
}

const DAY = 86_400_000;
/** The maximum number of owners who are notified. */
const MAX_RECIPIENTS = 20;

const said = (aggregateId: string) => ({ aggregateType: "user", aggregateId, type: "user.disowned" });

/**
 * Returns the notices to the people who may read the user: the owners of the organization, or if it has no others,
 * those of the service. Once a day for each user and to a limited number of people, so that links that are opened
 * repeatedly flood no inbox. Called inside the change, before its event, and reads only in its transaction: it must
 * not wait for a second connection while it holds one.
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
