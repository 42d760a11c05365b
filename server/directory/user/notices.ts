/**
 * Notifies users of changes to the security of their account, according to the notification policy. The notices are
 * made inside the change, so that it cannot go unnoticed.
 */
import type { ChangeContext, Message, Origin } from "../../events/record";
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
import { readUser, type UserRow } from "../../storage/user/user";
import { makeNotMeLink } from "../mailed-code/not-me-link";
import { readPolicyIn } from "../policy/policies";
import type { PolicySettings } from "../policy/settings";

export type NoticeName = Exclude<keyof PolicySettings<"notification">, "passwordChange" | "accountDisowned">;

/** The message types by their switches in the policy. */
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

/** The recipient of a notice, and the contact data that "This wasn't me" restores. */
type Told = Pick<UserRow, "id" | "organizationId" | "email" | "state" | "phone"> &
  Record<"isEmailVerified" | "isEmailTrusted" | "isPhoneVerified", boolean>;

/** The event; the origin of the change tells where it came from. */
type Facts = Omit<NoticeFacts, "device" | "address" | "by"> & {
  /** The app that was granted access. */
  clientId?: string;
};

/**
 * Returns notices to a user's verified address, because an unverified one may be a stranger's. An account that is not
 * activated yet gets none.
 * @param own false if this address must not get the link "This wasn't me"
 */
export async function noticesTo(
  ctx: ChangeContext,
  user: Told,
  name: keyof typeof NOTICES,
  { clientId, ...facts }: Facts,
  own = true,
): Promise<Message[]> {
  if (!user.isEmailVerified || user.email === null || user.state === "initial") return [];
  const { [name]: tells } = await readPolicyIn(ctx.tx, "notification", user.organizationId);
  if (!tells) return [];
  const type = NOTICES[name];
  const link = own && type.notice?.isDisownable ? await makeNotMeLink(ctx, user, { type, clientId, ...facts }) : {};
  return messageTo<NoticeFacts>(type, user, { ...facts, ...whereFrom(user, ctx.origin), ...link });
}

/** Returns the device and address, if the actor is the user; others are only described as administrators. */
function whereFrom(user: Told, { actor, device, address }: Origin): Partial<NoticeFacts> {
  if (actor === user.id) return { device, address };
  return actor === "system" ? {} : { by: "administrator" };
}

/** Returns notices to a user of whom only the id is known. */
export async function noticesAbout(
  ctx: ChangeContext,
  userId: string,
  name: NoticeName,
  facts: Facts,
): Promise<Message[]> {
  const user = await readUser(ctx.tx, userId);
  return user ? noticesTo(ctx, user, name, facts) : [];
}

/**
 * Returns notices about a change of address or number: to the new address if it is verified, and to the old one if it
 * was, because an attacker who took over the account reads the new one. Only the old address gets the link that reverts
 * the change.
 * @param changed the columns that differ
 */
export async function contactNotices(
  ctx: ChangeContext,
  before: UserRow,
  changed: Partial<UserRow>,
  at: number,
): Promise<Message[]> {
  const after: UserRow = { ...before, ...changed };
  const messages: Message[] = [];
  if (changed.phone !== undefined && before.phone !== null) {
    const facts = { at, change: lastOf(after.phone) };
    messages.push(...(await noticesTo(ctx, before, "phoneChanged", facts)));
  }
  if (changed.email !== undefined && before.email !== null) {
    const facts = { at, change: hidden(after.email) };
    messages.push(...(await noticesTo(ctx, before, "emailChanged", facts)));
    messages.push(...(await noticesTo(ctx, after, "emailChanged", facts, false)));
  }
  return messages;
}

/** Returns as much of an address as its owner needs to recognize it: `g•••@acme.test`. */
function hidden(email: string | null): string | undefined {
  const at = email?.lastIndexOf("@") ?? -1;
  return email === null || at < 1 ? undefined : `${[...email][0]}•••${email.slice(at)}`;
}

const lastOf = (phone: string | null): string | undefined => (phone === null ? undefined : `••• ${phone.slice(-3)}`);
