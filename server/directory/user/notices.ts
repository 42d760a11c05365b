/**
 * Telling people what happened to the security of their account, as the notification policy says. Made inside the change,
 * so that it cannot go unnoticed.
 */
import type { Message } from "../../events/record";
import { accountLocked } from "../../message-types/account-locked";
import { appConsent } from "../../message-types/app-consent";
import { emailChanged } from "../../message-types/email-changed";
import { factorAdded } from "../../message-types/factor-added";
import { factorRemoved } from "../../message-types/factor-removed";
import { messageTo } from "../../message-types/message";
import { newDevice } from "../../message-types/new-device";
import type { NoticeFacts } from "../../message-types/notice";
import { phoneChanged } from "../../message-types/phone-changed";
import { recoveryCodesUsed } from "../../message-types/recovery-codes-used";
import type { Transaction } from "../../storage/database";
import { readUser, type UserRow } from "../../storage/users";
import { readPolicyIn } from "../policy/policies";
import type { PolicySettings } from "../policy/settings";

export type NoticeName = Exclude<keyof PolicySettings<"notification">, "passwordChange">;

/** By their switches in the policy. */
const NOTICES = {
  factorAdded,
  factorRemoved,
  emailChanged,
  phoneChanged,
  newDevice,
  accountLocked,
  recoveryCodesUsed,
  appConsent,
} satisfies Record<NoticeName, { slug: string }>;

type Told = Pick<UserRow, "id" | "organizationId" | "email" | "state"> & { isEmailVerified: boolean | number };

/**
 * Notices to a person's verified address, since another may be a stranger's. Nobody is told of an account that has not
 * been activated: it is still being made.
 */
export async function noticesTo(tx: Transaction, user: Told, name: NoticeName, facts: NoticeFacts): Promise<Message[]> {
  if (!user.isEmailVerified || user.email === null || user.state === "initial") return [];
  const { [name]: tells } = await readPolicyIn(tx, "notification", user.organizationId);
  return tells ? messageTo<NoticeFacts>(NOTICES[name], user, facts) : [];
}

/** The same for a person of whom only the id is known. */
export async function noticesAbout(
  tx: Transaction,
  userId: string,
  name: NoticeName,
  facts: NoticeFacts,
): Promise<Message[]> {
  const user = await readUser(tx, userId);
  return user ? noticesTo(tx, user, name, facts) : [];
}

/**
 * After a change of address or number: to the new address where it is verified, and to the old one where that was, as
 * whoever took the account over reads the new one.
 * @param changed the columns that differ
 */
export async function contactNotices(
  tx: Transaction,
  before: UserRow,
  changed: Partial<UserRow>,
  at: number,
): Promise<Message[]> {
  const after: UserRow = { ...before, ...changed };
  const messages: Message[] = [];
  if (changed.phone !== undefined && before.phone !== null) {
    messages.push(...(await noticesTo(tx, before, "phoneChanged", { at, change: lastOf(after.phone) })));
  }
  if (changed.email !== undefined && before.email !== null) {
    const facts = { at, change: hidden(after.email) };
    messages.push(...(await noticesTo(tx, before, "emailChanged", facts)));
    messages.push(...(await noticesTo(tx, after, "emailChanged", facts)));
  }
  return messages;
}

/** As much of an address as its owner needs to know it: `g•••@acme.test`. */
function hidden(email: string | null): string | undefined {
  const at = email?.lastIndexOf("@") ?? -1;
  return email === null || at < 1 ? undefined : `${[...email][0]}•••${email.slice(at)}`;
}

const lastOf = (phone: string | null): string | undefined => (phone === null ? undefined : `••• ${phone.slice(-3)}`);
