/**
 * Notifies apps that a session ended (OpenID Connect Back-Channel Logout 1.0): a signed logout token is posted to each.
 * Failed deliveries are retried with growing pauses, then given up and recorded in the audit trail.
 */
import { type Backoff, backoff } from "../../concurrency/backoff";
import { type FairQueue, openFairQueue } from "../../concurrency/fair-queue";
import { isLoopback } from "../../config/value-parsers";
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { findClient } from "../../directory/app/app";
import { asSystem, record } from "../../events/record";
import { signJwt } from "../../keys/sign-jwt";
import { signingKey } from "../../keys/signing-keys";
import { sessionFor, subjectFor } from "../../keys/subject";
import { type GuardedOptions, guardedFetch } from "../../net/guarded-fetch";
import type { Client } from "../../protocol/client";
import { mayUseLoopback } from "../../protocol/public-address";
import {
  deleteLogoutNotification,
  type LogoutNotificationRow,
  leaseLogoutNotification,
  noteSessionClient,
  sessionValidity,
  settleLogoutNotification,
} from "../../storage/session/logout-notifications";

/** How long one process holds a row, in milliseconds; longer than any attempt takes. */
const LEASE = 60_000;
/** From half a minute to four hours, about eight hours in all. */
const PAUSES: Backoff = { first: 30_000, most: 4 * 3_600_000, factor: 2 };
const MAX_ATTEMPTS = 11;
/** Milliseconds that an app has to answer. */
const TIMEOUT = 10_000;
/** The lifetime of a logout token in seconds. §4: preferably at most two minutes. */
const TOKEN_LIFETIME = 120;

const EVENT = "http://schemas.openid.net/event/backchannel-logout";

/**
 * Stores that the client must be notified of this session's end, by either channel. Called before the client gets its
 * response.
 */
export async function noteForLogout(
  ctx: Context,
  client: Client,
  session: { id: string; userId: string },
): Promise<void> {
  if (client.backChannelLogoutUri === undefined && client.frontChannelLogoutUri === undefined) return;
  const now = ctx.clock();
  const { clientId } = client;
  const latest = now + ctx.config.lifetimes.session;
  await noteSessionClient(ctx.db, { sessionId: session.id, clientId, userId: session.userId }, now, latest);
}

/** Signs a logout token. It has no nonce and its own `typ`, so that it is not mistaken for an id_token (§2.4). */
async function logoutToken(
  ctx: Context,
  client: Client,
  { sessionId, userId }: Pick<LogoutNotificationRow, "sessionId" | "userId">,
): Promise<string> {
  const key = await signingKey(ctx, client.idTokenSigningAlgorithm);
  const now = Math.floor(ctx.clock() / 1000);
  return signJwt(key, "logout+jwt", {
    iss: ctx.config.baseUrl,
    sub: await subjectFor(ctx, client, userId),
    aud: client.clientId,
    iat: now,
    exp: now + TOKEN_LIFETIME,
    jti: newId(),
    sid: await sessionFor(ctx, client, sessionId),
    events: { [EVENT]: {} },
  });
}

export interface NextNotification {
  /** Selects whose notification is next. */
  queue?: FairQueue;
  /** Whether it may be a notification to an app that is slow. */
  isForSlow?: boolean;
  options?: Pick<GuardedOptions, "resolve" | "timeout">;
}

/**
 * Begins to deliver the next notification that is due.
 * @returns a promise that resolves at the end of the attempt; undefined if none was due
 */
export async function deliverNextNotification(
  ctx: Context,
  { queue = openFairQueue(ctx), isForSlow = true, options = {} }: NextNotification = {},
): Promise<{ ended: Promise<void> } | undefined> {
  const taken = await queue.take(isForSlow, (passedOver) => {
    const now = ctx.clock();
    return leaseLogoutNotification(ctx.db, now, now + LEASE, passedOver);
  });
  // Every app counts as its organization's own server: no server of ours is in between.
  return taken && { ended: deliver(ctx, taken.row, options).finally(() => taken.release(false)) };
}

async function deliver(
  ctx: Context,
  row: LogoutNotificationRow,
  options: Pick<GuardedOptions, "resolve" | "timeout">,
): Promise<void> {
  const validity = await sessionValidity(ctx.db, row.sessionId, ctx.clock());
  if (typeof validity === "number") {
    await settleLogoutNotification(ctx.db, row, { kind: "later", at: validity });
    return;
  }
  // Choice: no notification when a session merely expires; apps have session lifetimes of their own.
  if (validity === undefined && row.attempts === 0) return deleteLogoutNotification(ctx.db, row);
  const client = await findClient(ctx, row.clientId);
  if (client?.backChannelLogoutUri === undefined) return deleteLogoutNotification(ctx.db, row); // app deleted or not notified this way

  const { backChannelLogoutUri: address } = client;
  const devMode = mayUseLoopback(client);
  const onLoopback = isLoopback(ctx.config.baseUrl);
  // OpenID Connect Back-Channel Logout 1.0 §2.5. Only the status matters, even if the body never ends.
  const form = new URLSearchParams({ logout_token: await logoutToken(ctx, client, row) });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const request = { method: "POST", headers, body: form.toString() };
  const outcome = await guardedFetch(address, request, { devMode, onLoopback, timeout: TIMEOUT, ...options });
  const at = ctx.clock();
  const about = { clientId: row.clientId, sessionId: row.sessionId, attempt: row.attempts + 1 };
  if ("status" in outcome && (outcome.status === 200 || outcome.status === 204)) {
    await settleLogoutNotification(ctx.db, row, { kind: "delivered", at });
    ctx.log.info(about, "back-channel logout delivered");
    return;
  }
  const error = "status" in outcome ? `the application answered ${outcome.status}` : outcome.error;
  // §2.8: 400 means that the token is not accepted, so sending it again is pointless.
  const hopeless = ("status" in outcome && outcome.status === 400) || row.attempts + 1 >= MAX_ATTEMPTS;
  if (!hopeless) {
    await settleLogoutNotification(ctx.db, row, { kind: "again", at: at + backoff(PAUSES, row.attempts + 1), error });
    ctx.log.warn({ ...about, error }, "back-channel logout could not be delivered; it is tried again");
    return;
  }
  if (await settleLogoutNotification(ctx.db, row, { kind: "failed", at, error }))
    await recordFailure(ctx, client, row, error);
  ctx.log.error({ ...about, error }, "back-channel logout was given up");
}

async function recordFailure(ctx: Context, client: Client, row: LogoutNotificationRow, error: string): Promise<void> {
  await record(asSystem(ctx), {
    type: "app.backchannel_logout.failed",
    object: { id: client.appId, organizationId: client.organizationId },
    state: async () => ({ payload: { sessionId: row.sessionId, userId: row.userId, reason: error } }),
  });
}
