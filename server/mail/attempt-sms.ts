/**
 * Makes one attempt to deliver a queued text message. The rendered message is stored before it is sent, so that every
 * attempt sends the same text with the same id.
 */
import type { Context } from "../context";
import { mayOpenAccount } from "../directory/member/privileges";
import { smsChannel } from "../directory/provider/channel";
import { findProvider, isKind, type Provider } from "../directory/provider/provider";
import type { MessageType } from "../message-types/table";
import { type LeasedMessage, storeEmail } from "../storage/message/outbox";
import type { ComposedMessage } from "./compose";
import { composeRow, type Impossible } from "./compose-row";
import { openRendered, type StoredSms, sealRendered } from "./rendered-message";
import { holderOf, type MailRoutes, type RoutedMessage } from "./routes";
import { type OutgoingSms, sendSms } from "./sms-transport";
import type { Attempted, Delivery } from "./transport";

/** The number of characters of the text that lists show. */
const SUBJECT_LENGTH = 200;

export async function attemptSms(
  ctx: Context,
  row: LeasedMessage,
  type: MessageType,
  { options }: Pick<MailRoutes, "options">,
): Promise<Attempted | Impossible> {
  const provider = await findSmsRoute(ctx, row);
  const isOrganizations = provider?.organizationId === row.organizationId;
  const sms = await prepare(ctx, row, type, { sender: provider?.sender ?? "", isOrganizations });
  if (typeof sms === "string") return sms;
  const delivery: Delivery = provider ? await sendSms(ctx, provider, sms, options) : { outcome: "kept" };
  return { delivery, isOurs: !isOrganizations, sentBy: provider && isKind(provider, "http") ? "webhook" : "sms" };
}

async function prepare(
  ctx: Context,
  row: LeasedMessage,
  type: MessageType,
  { sender, isOrganizations }: { sender: string; isOrganizations: boolean },
): Promise<OutgoingSms | Impossible> {
  const known = row.letter === null ? undefined : openRendered(ctx, row.letter);
  if (known?.channel === "sms" && known.isOrganizations === isOrganizations) return { ...known, sender };
  const composed = await composeRow(ctx, row, type, false);
  if (typeof composed === "string") return composed;
  const { phoneText: text, args } = composed;
  const { id: messageId, createdAt: date, recipient } = row;
  const sms: OutgoingSms = { channel: "sms", messageId, date, sender, recipient, text, eventType: type, args };
  const shown = await composeRow(ctx, row, type, true);
  const subject = typeof shown === "string" ? "" : shown.phoneText.slice(0, SUBJECT_LENGTH);
  row.letter = sealRendered(ctx, { ...sms, isOrganizations });
  const held = await storeEmail(ctx.db, row, { subject, letter: row.letter });
  return held ? sms : "the lease was lost";
}

/** Returns the message with its code hidden. @param shown undefined: it can no longer be composed */
export function smsWithoutCodes(sms: StoredSms, shown: ComposedMessage | undefined): StoredSms {
  return { ...sms, text: shown?.phoneText ?? "", args: shown?.args ?? {} };
}

/**
 * Finds the provider, as routes.ts does for mails: the organization's active one, else the service's; undefined: the
 * message is kept. A message that opens an account uses an organization's provider only if the author of its settings
 * may open the account, as the provider can read every code. Evaluated again at each attempt.
 */
export async function findSmsRoute(ctx: Context, message: RoutedMessage): Promise<Provider | undefined> {
  const own = await findProvider(ctx, smsChannel, message.organizationId);
  const holder = holderOf(message);
  const mayUse = own && (!holder || (await mayOpenAccount(ctx, own, holder)));
  return mayUse ? own : findProvider(ctx, smsChannel, undefined);
}
