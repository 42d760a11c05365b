/**
 * Telling people what happened to the security of their account, as the notification policy says. Made inside the change,
 * so that it cannot go unnoticed.
 */
import type { Context } from "../../context";
import type { Message, Origin } from "../../events/record";
import { accountLocked } from "../../message-types/account-locked";
import { appConsent } from "../../message-types/app-consent";
import type { MessageDefinition } from "../../message-types/definition";
import { emailChanged } from "../../message-types/email-changed";
import { factorAdded } from "../../message-types/factor-added";
import { factorRemoved } from "../../message-types/factor-removed";
import { messageTo } from "../../message-types/message";
import { newDevice } from "../../message-types/new-device";
import type { NoticeFacts } from "../../message-types/notice";
import { passwordChange } from "../../message-types/password-change";
import { phoneChanged } from "../../message-types/phone-changed";
import { recoveryCodesUsed } from "../../message-types/recovery-codes-used";
import type { Transaction } from "../../storage/database";
import { readUser, type UserRow } from "../../storage/users";
import { makeDisownLink } from "../mailed-code/disown-link";
import { readPolicyIn } from "../policy/policies";
import type { PolicySettings } from "../policy/settings";

export type NoticeName = Exclude<keyof PolicySettings<"notification">, "passwordChange" | "accountDisowned">;

/** By their switches in the policy. */
const NOTICES: Record<NoticeName | "passwordChange", MessageDefinition> = {
  passwordChange,
  factorAdded,
  factorRemoved,
  emailChanged,
  phoneChanged,
  newDevice,
  accountLocked,
  recoveryCodesUsed,
  appConsent,
};

/** Whom a notice goes to, and what of the account a "This wasn't me" restores. */
type Told = Pick<UserRow, "id" | "organizationId" | "email" | "state" | "phone"> &
  Record<"isEmailVerified" | "isEmailTrusted" | "isPhoneVerified", boolean | number>;

/** What happened; where from is said by the origin of the change. */
type Facts = Omit<NoticeFacts, "device" | "address" | "by"> & {
  /** Of the app that was let in. */
  clientId?: string;
};

/**
 * Notices to a person's verified address, since another may be a stranger's. Nobody is told of an account that has not
 * been activated: it is still being made.
 * @param own false: this address cannot say that it was not them
 */
export async function noticesTo(
  ctx: Context,
  tx: Transaction,
  user: Told,
  name: keyof typeof NOTICES,
  { clientId, ...facts }: Facts,
  origin: Origin,
  own = true,
): Promise<Message[]> {
  if (!user.isEmailVerified || user.email === null || user.state === "initial") return [];
  const { [name]: tells } = await readPolicyIn(tx, "notification", user.organizationId);
  if (!tells) return [];
  const type = NOTICES[name];
  const link =
    own && type.notice?.isDisownable ? await makeDisownLink(ctx, tx, user, { type, clientId, ...facts }) : {};
  return messageTo<NoticeFacts>(type, user, { ...facts, ...whereFrom(user, origin), ...link });
}

/** The browser is told of only if it is the person's, or somebody's who acts as them. */
function whereFrom(user: Told, { actor, device, address }: Origin): Partial<NoticeFacts> {
  if (actor === user.id) return { device, address };
  return actor === "system" ? {} : { by: "administrator" };
}

/** The same for a person of whom only the id is known. */
export async function noticesAbout(
  ctx: Context,
  tx: Transaction,
  userId: string,
  name: NoticeName,
  facts: Facts,
  origin: Origin,
): Promise<Message[]> {
  const user = await readUser(tx, userId);
  return user ? noticesTo(ctx, tx, user, name, facts, origin) : [];
}

/**
 * After a change of address or number: to the new address where it is verified, and to the old one where that was, as
 * whoever took the account over reads the new one. So only the old one can undo it.
 * @param changed the columns that differ
 */
export async function contactNotices(
  ctx: Context,
  tx: Transaction,
  before: UserRow,
  changed: Partial<UserRow>,
  { at, origin }: { at: number; origin: Origin },
): Promise<Message[]> {
  const after: UserRow = { ...before, ...changed };
  const messages: Message[] = [];
  if (changed.phone !== undefined && before.phone !== null) {
    const facts = { at, change: lastOf(after.phone) };
    messages.push(...(await noticesTo(ctx, tx, before, "phoneChanged", facts, origin)));
  }
  if (changed.email !== undefined && before.email !== null) {
    const facts = { at, change: hidden(after.email) };
    messages.push(...(await noticesTo(ctx, tx, before, "emailChanged", facts, origin)));
    messages.push(...(await noticesTo(ctx, tx, after, "emailChanged", facts, origin, false)));
  }
  return messages;
}

/** As much of an address as its owner needs to know it: `g•••@acme.test`. */
function hidden(email: string | null): string | undefined {
  const at = email?.lastIndexOf("@") ?? -1;
  return email === null || at < 1 ? undefined : `${[...email][0]}•••${email.slice(at)}`;
}

const lastOf = (phone: string | null): string | undefined => (phone === null ? undefined : `••• ${phone.slice(-3)}`);
