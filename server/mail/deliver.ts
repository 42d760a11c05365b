/**
 * Delivers one queued message, a mail or a text message. The rendered message is stored before it is sent, so that
 * every attempt sends the same content with the same id: if the process dies between sending the message and recording
 * that, at most one duplicate is sent, which mail programs show once.
 */
import { type FairQueue, openFairQueue } from "../concurrency/fair-queue";
import type { Context } from "../context";
import { newId } from "../crypto/random";
import type { MessageDefinition } from "../message-types/definition";
import type { MessagePayload } from "../message-types/message";
import { isMessageType } from "../message-types/table";
import { countMailAttempt } from "../metrics/instruments";
import {
  type LeasedMessage,
  leaseOutboxMessage,
  type OutboxChannel,
  postponeOutboxMessage,
  type SettledState,
  settleOutboxMessage,
} from "../storage/message/outbox";
import { isForPhone } from "../texts/message-text";
import { span } from "../tracing/span";
import { attemptMail, mailWithoutCodes } from "./attempt-mail";
import { attemptSms, smsWithoutCodes } from "./attempt-sms";
import { composeRow, type Impossible } from "./compose-row";
import { openRendered, sealSettled } from "./rendered-message";
import { nextAttempt } from "./retry";
import type { MailRoutes } from "./routes";
import { type Attempted, SEND_TIMEOUT } from "./transport";

/** How long a process may work on a message before another one takes over, in milliseconds. */
export const LEASE_TIME = SEND_TIMEOUT + 30_000;

type Channel = MessageDefinition["channel"];

/** `idle`: no message was due. `unreachable`: the service's mail server is currently unusable. */
export type DeliveryOutcome = SettledState | "idle" | "postponed" | "unreachable";

const OUTCOMES = ["sent", "kept", "failed", "expired", "postponed", "unreachable"] as const satisfies DeliveryOutcome[];
for (const channel of ["mail", "sms"] satisfies Channel[]) {
  countMailAttempt.beginAtZero(...OUTCOMES.map((outcome) => [outcome, channel] as const));
}

export interface NextMessage {
  /** Decides which organization is next. */
  queue?: FairQueue;
  /** Whether messages that use a slow server may be taken. */
  isForSlow?: boolean;
}

/** Makes one attempt to deliver the next due message. */
export async function deliverNext(ctx: Context, routes: MailRoutes, next: NextMessage = {}): Promise<DeliveryOutcome> {
  const { outcome, channel } = await attemptNext(ctx, routes, next);
  if (outcome !== "idle") countMailAttempt(outcome, channel);
  return outcome;
}

async function attemptNext(
  ctx: Context,
  routes: MailRoutes,
  { queue = openFairQueue(ctx), isForSlow = true }: NextMessage,
): Promise<{ outcome: DeliveryOutcome; channel: Channel }> {
  const leaseId = newId();
  const taken = await queue.take(isForSlow, (passedOver) => {
    const now = ctx.clock();
    return leaseOutboxMessage(ctx.db, { leaseId, now, until: now + LEASE_TIME, passedOver });
  });
  if (!taken) return { outcome: "idle", channel: "mail" };
  const { row, release } = taken;
  const channel = isMessageType(row.type) && isForPhone(row.type, row.payload) ? "sms" : "mail";
  let isOurs = true;
  try {
    if (row.expiresAt !== null && row.expiresAt <= ctx.clock()) {
      return { outcome: await end(ctx, row, "expired", "expired before it could be sent"), channel };
    }
    const attributes = { "identity.message.type": row.type, "identity.message.attempt": row.attempts };
    const outcome = await span(
      `send ${channel}`,
      async (noted) => {
        const made = await attempt(ctx, row, routes);
        if (typeof made !== "string") isOurs = made.isOurs;
        const outcome = await concludeAttempt(ctx, row, channel, made);
        noted.setAttribute("identity.message.outcome", outcome);
        return outcome;
      },
      () => ({ attributes, isCall: true }),
    );
    return { outcome, channel };
  } finally {
    release(isOurs);
  }
}

async function attempt(ctx: Context, row: LeasedMessage, routes: MailRoutes): Promise<Attempted | Impossible> {
  const { type } = row;
  if (!isMessageType(type)) {
    // During an upgrade, a newer process may have queued it, and sends it later.
    const delivery = { outcome: "refused", permanent: false, answer: `no message type ${type}` } as const;
    return { delivery, isOurs: true, sentBy: "email" };
  }
  return isForPhone(type, row.payload) ? attemptSms(ctx, row, type, routes) : attemptMail(ctx, row, type, routes);
}

async function concludeAttempt(
  ctx: Context,
  row: LeasedMessage,
  channel: Channel,
  made: Attempted | Impossible,
): Promise<DeliveryOutcome> {
  if (typeof made === "string") return end(ctx, row, "failed", made);
  const outcome = await conclude(ctx, row, made);
  const isOutage = made.delivery.outcome === "unreachable" && outcome === "postponed" && made.isOurs;
  return isOutage && channel === "mail" ? "unreachable" : outcome;
}

async function conclude(
  ctx: Context,
  row: LeasedMessage,
  { delivery, sentBy }: Attempted,
): Promise<SettledState | "postponed"> {
  switch (delivery.outcome) {
    case "sent":
      return end(ctx, row, "sent", delivery.answer, sentBy);
    case "kept":
      return end(ctx, row, "kept", "no provider is configured", sentBy);
    case "refused":
      return delivery.permanent
        ? end(ctx, row, "failed", delivery.answer, sentBy)
        : postpone(ctx, row, delivery.answer, sentBy);
    case "unreachable":
      return postpone(ctx, row, delivery.answer, sentBy);
  }
}

/**
 * Returns the rendered message for storage, with its code and its link hidden, as readers of the mail page must not be
 * able to use them. Without a provider the message keeps its code, as it is read there instead of being received.
 * Undefined if no stored message can be unsealed.
 */
async function sealedToKeep(ctx: Context, row: LeasedMessage, state: SettledState): Promise<string | undefined> {
  const payload: MessagePayload = row.payload;
  const rendered = row.letter === null ? undefined : openRendered(ctx, row.letter);
  if (!rendered) return undefined;
  const isHarmless = payload.sealed === undefined && payload.disown === undefined;
  if (state === "kept" || isHarmless || !isMessageType(row.type)) return sealSettled(ctx, rendered);
  const composed = await composeRow(ctx, row, row.type, true);
  const shown = typeof composed === "string" ? undefined : composed;
  return sealSettled(
    ctx,
    rendered.channel === "sms" ? smsWithoutCodes(rendered, shown) : mailWithoutCodes(rendered, shown),
  );
}

async function end(
  ctx: Context,
  row: LeasedMessage,
  state: SettledState,
  answer: string,
  channel?: OutboxChannel,
): Promise<SettledState | "postponed"> {
  const sealed = await sealedToKeep(ctx, row, state);
  const settled = await settleOutboxMessage(ctx.db, row, { state, now: ctx.clock(), answer, letter: sealed, channel });
  const facts = { messageId: row.id, type: row.type, attempts: row.attempts, answer };
  if (!settled) ctx.log.warn(facts, "the lease of a message ended while it was being sent; it may go out twice");
  else if (state === "failed" || state === "expired") ctx.log.error(facts, `message ${state}`);
  else ctx.log.info(facts, `message ${state}`);
  return settled ? state : "postponed";
}

async function postpone(
  ctx: Context,
  row: LeasedMessage,
  answer: string,
  channel: OutboxChannel,
): Promise<"failed" | "expired" | "postponed"> {
  const now = ctx.clock();
  const nextAttemptAt = nextAttempt(row, now);
  if (nextAttemptAt === undefined) {
    await end(ctx, row, "failed", `given up after 24 hours; last: ${answer}`, channel);
    return "failed";
  }
  await postponeOutboxMessage(ctx.db, row, { now, nextAttemptAt, answer, channel });
  ctx.log.warn({ messageId: row.id, type: row.type, attempts: row.attempts, answer }, "message not sent yet");
  return "postponed";
}
