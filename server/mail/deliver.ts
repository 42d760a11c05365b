/**
 * Delivers one queued message. The rendered mail is stored before it is sent, so that every attempt sends the same mail
 * with the same Message-ID: if the process dies between sending a mail and recording that, at most one duplicate is
 * sent, which mail programs show once.
 */
import type { Context } from "../context";
import { newId } from "../crypto/random";
import type { MessagePayload } from "../message-types/message";
import { isMessageType, type MessageType } from "../message-types/table";
import { countMailAttempt } from "../metrics/instruments";
import {
  type LeasedMessage,
  leaseOutboxMessage,
  postponeOutboxMessage,
  type SettledState,
  settleOutboxMessage,
  storeEmail,
} from "../storage/outbox";
import { parseLanguage } from "../texts/languages";
import { isShortMessage } from "../texts/message-text";
import { isSamplePerson } from "../texts/sample-persons";
import { type ComposedMessage, composeMessage } from "./compose";
import { holderOf, type MailRoute, type MailRoutes } from "./routes";
import { openEmail, sealEmail } from "./stored-email";
import { type OutgoingMail, SEND_TIMEOUT } from "./transport";

/** How long a process may work on a message before another one takes it over, milliseconds. */
export const LEASE_TIME = SEND_TIMEOUT + 30_000;
/** How long delivery is tried, milliseconds; afterwards nobody waits for the mail any more. */
export const GIVE_UP_AFTER = 24 * 3_600_000;
/**
 * The least number of attempts before a mail is given up, which take about an hour. A mail may be old at its first
 * attempt, as the service was down or as an administrator sends it again; and mail servers may refuse the first
 * attempts (greylisting).
 */
export const LEAST_ATTEMPTS = 10;

const FIRST_DELAY = 5_000;
const MAX_DELAY = 600_000;

/** `idle`: no message was due. `unreachable`: the service's mail server cannot be used at the moment. */
export type Outcome = SettledState | "idle" | "postponed" | "unreachable";

/** Makes one attempt to deliver the next message that is due. */
export async function deliverNext(ctx: Context, routes: MailRoutes): Promise<Outcome> {
  const outcome = await attemptNext(ctx, routes);
  if (outcome !== "idle") countMailAttempt(outcome);
  return outcome;
}

async function attemptNext(ctx: Context, routes: MailRoutes): Promise<Outcome> {
  const now = ctx.clock();
  const row = await leaseOutboxMessage(ctx.db, { leaseId: newId(), now, until: now + LEASE_TIME });
  if (!row) return "idle";
  if (row.expiresAt !== null && row.expiresAt <= now)
    return end(ctx, row, "expired", "expired before it could be sent");
  const route = await routes.of(row);
  const mail = await prepare(ctx, row, route);
  if (typeof mail === "string") return end(ctx, row, "failed", mail);
  const delivery = await route.transport.send(mail);
  switch (delivery.outcome) {
    case "sent":
      return end(ctx, row, "sent", delivery.answer);
    case "kept":
      return end(ctx, row, "kept", "no mail server is configured");
    case "refused":
      if (delivery.permanent) return end(ctx, row, "failed", delivery.answer);
      return postpone(ctx, row, delivery.answer);
    case "unreachable": {
      const outcome = await postpone(ctx, row, delivery.answer);
      return outcome === "postponed" && !route.isOrganizations ? "unreachable" : outcome;
    }
  }
}

/**
 * The mail of a message: the one stored by an earlier attempt with the same sender, else it is rendered and stored. A
 * string says why there is none.
 */
async function prepare(ctx: Context, row: LeasedMessage, route: MailRoute): Promise<OutgoingMail | string> {
  const known = row.letter === null ? undefined : openEmail(ctx, row.letter);
  // If the sender was refused and then corrected, or the message goes another way now, it is rendered again.
  const isSame = known?.sender === route.sender && known.headers[REPLY_TO] === route.replyTo;
  if (isSame && known.isOrganizations === route.isOrganizations) return known;
  const { type } = row;
  if (!isMessageType(type)) return `no message type ${type}`;
  if (isShortMessage(type)) return "no way to send text messages is configured";
  const { registrant }: MessagePayload = row.payload;
  if (row.userId === null && !registrant) return "no such user"; // only trials have samples
  const composed = await compose(ctx, row, type, false);
  if (typeof composed === "string") return composed;
  const { hostname } = new URL(ctx.config.baseUrl);
  const mail: OutgoingMail = {
    messageId: `<${row.id}@${hostname}>`,
    date: row.createdAt,
    sender: route.sender,
    recipient: row.recipient,
    ...repliedTo(contentOf(composed), route.replyTo),
  };
  const shown = await compose(ctx, row, type, true);
  const subject = typeof shown === "string" ? "" : shown.subject;
  row.letter = sealEmail(ctx, { ...mail, isOrganizations: route.isOrganizations });
  const held = await storeEmail(ctx.db, row, { subject, letter: row.letter });
  return held ? mail : "the lease was lost";
}

function compose(ctx: Context, row: LeasedMessage, type: MessageType, withoutCodes: boolean) {
  const { organizationId, userId, expiresAt } = row;
  const payload: MessagePayload = row.payload;
  return composeMessage(ctx, {
    type,
    organizationId,
    userId: userId ?? undefined,
    payload,
    expiresAt: expiresAt ?? undefined,
    isTest: payload.isTest,
    language: payload.language === undefined ? undefined : parseLanguage(payload.language),
    fields: payload.fields,
    holder: holderOf(row),
    sample: isSamplePerson(payload.sample) ? payload.sample : undefined,
    withoutCodes,
  });
}

const REPLY_TO = "Reply-To";

/** With where answers go (RFC 5322 §3.6.2), if that is somewhere else. */
export function repliedTo<Content extends Pick<OutgoingMail, "headers">>(content: Content, replyTo?: string): Content {
  return replyTo === undefined ? content : { ...content, headers: { ...content.headers, [REPLY_TO]: replyTo } };
}

function contentOf({ subject, html, text, headers }: ComposedMessage) {
  return { subject, html, text, headers };
}

/** The mail with its code hidden, as readers of the mail page must not be able to use the code. */
async function withoutCodes(ctx: Context, row: LeasedMessage): Promise<string | undefined> {
  const payload: MessagePayload = row.payload;
  const mail = row.letter === null ? undefined : openEmail(ctx, row.letter);
  if (payload.sealed === undefined || !mail || !isMessageType(row.type)) return undefined;
  const shown = await compose(ctx, row, row.type, true);
  const gone = { subject: "", html: "", text: "" };
  const content = typeof shown === "string" ? gone : repliedTo(contentOf(shown), mail.headers[REPLY_TO]);
  return sealEmail(ctx, { ...mail, ...content });
}

async function end(
  ctx: Context,
  row: LeasedMessage,
  state: SettledState,
  answer: string,
): Promise<SettledState | "postponed"> {
  // Without a mail server mails are read on the mail page instead of being received, so they keep their code.
  const letter = state === "kept" ? undefined : await withoutCodes(ctx, row);
  const settled = await settleOutboxMessage(ctx.db, row, { state, now: ctx.clock(), answer, letter });
  const facts = { messageId: row.id, type: row.type, attempts: row.attempts, answer };
  if (!settled) ctx.log.warn(facts, "the lease of a message ended while it was being sent; it may go out twice");
  else if (state === "failed" || state === "expired") ctx.log.error(facts, `message ${state}`);
  else ctx.log.info(facts, `message ${state}`);
  return settled ? state : "postponed";
}

async function postpone(ctx: Context, row: LeasedMessage, answer: string): Promise<"failed" | "expired" | "postponed"> {
  const now = ctx.clock();
  const nextAttemptAt = now + delayAfter(row.attempts, Math.random());
  if (nextAttemptAt >= row.createdAt + GIVE_UP_AFTER && row.attempts >= LEAST_ATTEMPTS) {
    await end(ctx, row, "failed", `given up after 24 hours; last: ${answer}`);
    return "failed";
  }
  await postponeOutboxMessage(ctx.db, row, { nextAttemptAt, answer });
  ctx.log.warn({ messageId: row.id, type: row.type, attempts: row.attempts, answer }, "message not sent yet");
  return "postponed";
}

/**
 * Milliseconds until the next attempt: at most 5 s, 15 s, 45 s … 10 min and at least half of it, so that messages that
 * failed together are not retried together.
 * @param random from 0 to 1
 */
export function delayAfter(attempts: number, random: number): number {
  const delay = Math.min(MAX_DELAY, FIRST_DELAY * 3 ** (attempts - 1));
  return Math.round(delay * (0.5 + random / 2));
}
