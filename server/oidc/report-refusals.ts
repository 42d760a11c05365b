/**
 * Informs the operator of rejected OAuth requests, because many clients do not show why they were rejected. Each 400
 * and 401 is logged and counted in the metrics. For an app it is also recorded in its events, where its administrators
 * see it: one event for each app, reason and hour, with a count (rule CLIENT-10).
 *
 * Attack: flooding the audit trail with a known client id. Events are collected in memory and written asynchronously,
 * at most once a minute for each app and reason, and their number per app and hour is bounded.
 */

import type { Context } from "../context";
import { asSystem, record, UNCHANGED } from "../events/record";
import { countRefusal } from "../metrics/instruments";
import type { Client } from "../protocol/client";
import type { OAuthError, OAuthErrorCode } from "../protocol/oauth-error";
import type { Parameters } from "../protocol/parameters";
import { listEventsSince, updateEventPayload } from "../storage/event/event";
import { lockProject } from "../storage/project/project";
import { type EndpointPath, namedClient } from "./client-authentication";

const HOUR = 3_600_000;
/** Milliseconds until the first rejection of a kind is written, and between two writes of the same kind. */
const FIRST_DELAY = 250;
const NEXT_DELAY = 60_000;
/** The maximum number of reasons per app and hour; further ones are only in the log and the metrics. */
const MAX_REASONS = 50;
/** The maximum number of kinds in memory. */
const MAX_KINDS = 1_000;

/** The usual errors of each endpoint, by the name that the metric has for it. */
const USUAL = {
  token: [
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "unauthorized_client",
    "unsupported_grant_type",
    "invalid_scope",
  ],
  introspect: ["invalid_request", "invalid_client"],
  revoke: ["invalid_request", "invalid_client"],
  device_authorization: ["invalid_request", "invalid_client", "unauthorized_client", "invalid_scope"],
  par: ["invalid_request", "invalid_client", "unauthorized_client", "invalid_scope"],
  userinfo: ["invalid_request", "invalid_token"],
  register: ["invalid_client_metadata", "invalid_redirect_uri", "invalid_token"],
} as const satisfies Record<string, readonly OAuthErrorCode[]>;

for (const [endpoint, errors] of Object.entries(USUAL)) {
  countRefusal.beginAtZero(...errors.map((error) => [endpoint, error] as const));
}

/** Polling is not a failure (RFC 8628 §3.5). */
const EXPECTED: ReadonlySet<string> = new Set(["authorization_pending", "slow_down"]);

export interface RefusedOAuthRequest {
  path: EndpointPath | "/oidc/v1/userinfo" | "/oauth/v2/register";
  authorization?: string;
  /** Undefined if it could not be read. */
  form?: Parameters;
  error: OAuthError;
}

/** Records a rejection asynchronously. Never throws. */
export function noteOAuthRefusal(ctx: Context, refused: RefusedOAuthRequest): void {
  const { error, path } = refused;
  if ((error.status !== 400 && error.status !== 401) || EXPECTED.has(error.error)) return;
  countRefusal(path.slice(path.lastIndexOf("/") + 1), error.error);
  const noted = namedClient(ctx, refused).then(
    (app) => {
      const about = { path, clientId: app?.clientId, error: error.error, reason: error.description };
      ctx.log.info(typeof error.cause === "string" ? { ...about, cause: error.cause } : about, "OAuth request refused");
      if (app && app.appId !== "") gather(ctx, app, error);
    },
    (err) => ctx.log.warn({ err }, "the client of a refused request could not be looked up"),
  );
  keepPending(ctx, noted);
}

interface Kind {
  app: Pick<Client, "appId" | "organizationId" | "projectId">;
  error: string;
  reason: string;
  /** Start of the hour, epoch milliseconds. */
  hour: number;
  /** The number of rejections that are not written yet. */
  count: number;
  timer: NodeJS.Timeout | undefined;
  hasBeenWritten: boolean;
}

interface Gathered {
  kinds: Map<string, Kind>;
  /** Work that has begun and not ended. */
  pending: Set<Promise<void>>;
}

const gatheredBy = new WeakMap<Context["db"], Gathered>();

function gatheredOf({ db }: Context): Gathered {
  const known = gatheredBy.get(db) ?? { kinds: new Map(), pending: new Set() };
  gatheredBy.set(db, known);
  return known;
}

function keepPending(ctx: Context, work: Promise<void>): Promise<void> {
  const { pending } = gatheredOf(ctx);
  pending.add(work);
  return work.finally(() => pending.delete(work));
}

function gather(ctx: Context, { appId, organizationId, projectId }: Client, { error, description }: OAuthError): void {
  const { kinds } = gatheredOf(ctx);
  const hour = Math.floor(ctx.clock() / HOUR) * HOUR;
  const key = JSON.stringify([appId, error, description, hour]);
  let kind = kinds.get(key);
  if (!kind) {
    for (const [old, { hour: of, timer }] of kinds) if (of !== hour && timer === undefined) kinds.delete(old);
    if (kinds.size >= MAX_KINDS) return;
    const app = { appId, organizationId, projectId };
    kind = { app, error, reason: description, hour, count: 0, timer: undefined, hasBeenWritten: false };
    kinds.set(key, kind);
  }
  kind.count++;
  const { hasBeenWritten } = kind;
  kind.timer ??= setTimeout(
    () => void keepPending(ctx, write(ctx, kind)),
    hasBeenWritten ? NEXT_DELAY : FIRST_DELAY,
  ).unref();
}

/** Writes what was collected so far. Resolves when it is readable, or could not be written. */
export async function flushRefusals(ctx: Context): Promise<void> {
  const { kinds, pending } = gatheredOf(ctx);
  // Timers may begin further writes in the meantime.
  for (;;) {
    while (pending.size > 0) await Promise.all(pending);
    const waiting = [...kinds.values()].find(({ count }) => count > 0);
    if (!waiting) return;
    await write(ctx, waiting);
  }
}

async function write(ctx: Context, kind: Kind): Promise<void> {
  clearTimeout(kind.timer);
  kind.timer = undefined;
  const { app, error, reason, hour, count } = kind;
  kind.count = 0;
  kind.hasBeenWritten = true;
  const type = "app.request.refused";
  try {
    await record(asSystem(ctx), {
      type,
      object: { id: app.appId, organizationId: app.organizationId },
      async state({ tx }) {
        // Other processes write as well; the lock serializes them.
        if (!(await lockProject(ctx.db, tx, app.organizationId, app.projectId))) return UNCHANGED;
        const object = { aggregateType: "app", aggregateId: app.appId };
        const known = await listEventsSince(tx, { ...object, type }, hour);
        const same = known.find(({ payload }) => payload.error === error && payload.reason === reason);
        if (same) {
          const { sequence, payload } = same;
          await updateEventPayload(tx, { ...object, sequence }, { ...payload, count: Number(payload.count) + count });
        }
        return same || known.length >= MAX_REASONS ? UNCHANGED : { payload: { error, reason, count } };
      },
    });
  } catch (err) {
    // Not retried: an outage is not the time for more writes.
    ctx.log.warn({ err, appId: app.appId }, "refusals of an app could not be recorded");
  }
}
