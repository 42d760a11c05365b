/**
 * Makes one attempt to deliver a queued mail. The rendered mail is stored before it is sent, so that every attempt
 * sends the same mail with the same Message-ID.
 */
import type { Context } from "../context";
import type { MessageType } from "../message-types/table";
import { type LeasedMessage, storeEmail } from "../storage/message/outbox";
import type { ComposedMessage } from "./compose";
import { composeRow, type Impossible } from "./compose-row";
import { openRendered, type StoredEmail, sealRendered } from "./rendered-message";
import type { MailRoute, MailRoutes } from "./routes";
import type { Attempted, MailParts, OutgoingMail } from "./transport";

/** Sends one mail. */
export async function attemptMail(
  ctx: Context,
  row: LeasedMessage,
  type: MessageType,
  routes: MailRoutes,
): Promise<Attempted | Impossible> {
  const route = await routes.of(row);
  const mail = await prepare(ctx, row, type, route);
  if (typeof mail === "string") return mail;
  const delivery = await route.transport.send(mail);
  return { delivery, isOurs: !route.isOrganizations, sentBy: route.takesParts ? "webhook" : "email" };
}

/** Returns the mail stored by an earlier attempt with the same sender; otherwise renders and stores it. */
async function prepare(
  ctx: Context,
  row: LeasedMessage,
  type: MessageType,
  route: MailRoute,
): Promise<OutgoingMail | Impossible> {
  const known = row.letter === null ? undefined : openRendered(ctx, row.letter);
  // If the sender was rejected and then corrected, or the route has changed, the mail is rendered again.
  if (known && known.channel !== "sms" && isFor(route, known)) return known;
  const composed = await composeRow(ctx, row, type, false);
  if (typeof composed === "string") return composed;
  const { hostname } = new URL(ctx.config.baseUrl);
  const mail: OutgoingMail = {
    messageId: `<${row.id}@${hostname}>`,
    date: row.createdAt,
    sender: route.sender,
    recipient: row.recipient,
    ...repliedTo(contentOf(composed), route.replyTo),
    parts: route.takesParts ? mailPartsOf(composed) : undefined,
  };
  const shown = await composeRow(ctx, row, type, true);
  const subject = typeof shown === "string" ? "" : shown.subject;
  row.letter = sealRendered(ctx, { ...mail, isOrganizations: route.isOrganizations });
  const held = await storeEmail(ctx.db, row, { subject, letter: row.letter });
  return held ? mail : "the lease was lost";
}

function isFor({ sender, replyTo, takesParts, isOrganizations }: MailRoute, known: StoredEmail): boolean {
  const hasSender = known.sender === sender && known.headers[REPLY_TO] === replyTo;
  return hasSender && (known.parts !== undefined) === takesParts && known.isOrganizations === isOrganizations;
}

const REPLY_TO = "Reply-To";

/** Adds the Reply-To header (RFC 5322 §3.6.2) if replies go to another address. */
export function repliedTo<Content extends Pick<OutgoingMail, "headers">>(content: Content, replyTo?: string): Content {
  return replyTo === undefined ? content : { ...content, headers: { ...content.headers, [REPLY_TO]: replyTo } };
}

function contentOf({ subject, html, text, headers }: ComposedMessage) {
  return { subject, html, text, headers };
}

export const mailPartsOf = ({ type, templateData, args }: ComposedMessage): MailParts => ({
  eventType: type,
  templateData,
  args,
});

/** Returns the mail with its code hidden. @param shown undefined: it can no longer be composed */
export function mailWithoutCodes(mail: StoredEmail, shown: ComposedMessage | undefined): StoredEmail {
  const gone = { subject: "", html: "", text: "" };
  const parts = mail.parts && shown && mailPartsOf(shown);
  return { ...mail, ...(shown ? repliedTo(contentOf(shown), mail.headers[REPLY_TO]) : gone), parts };
}
