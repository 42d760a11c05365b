/**
 * Explains why introspection returns `{"active":false}` for a valid token: the API is not in its audience, usually
 * because the token was requested without the scope for the API's project. The response must not say so (RFC 7662 §4),
 * so it is logged for the operator and recorded as an event of the API for its organization.
 *
 * Attack: finding out with one's own API whether a stolen token is valid. The event is only recorded if the token was
 * issued to a client of the API's own organization, which could introspect it as itself.
 */

import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { asSystem, record, UNCHANGED } from "../events/record";
import type { Client } from "../protocol/client";
import { hasEventSince } from "../storage/event/event";
import type { ValidToken } from "../storage/grant/access-tokens";
import { lockProject } from "../storage/project/project";

/** Milliseconds between two log lines about the same caller and client. */
const LINE_INTERVAL = 60_000;
/** Milliseconds between two events of the same API. */
const EVENT_INTERVAL = 3_600_000;
/** The maximum number of remembered entries, which bounds the memory. */
const MAX_NOTES = 1_000;
const noted = new WeakMap<Context["db"], Map<string, number>>();

/**
 * Logs at most one line a minute and records at most one event an hour. Asynchronous, so that the response time reveals
 * nothing.
 */
export function noteWrongAudience(ctx: Context, caller: Client, token: ValidToken): void {
  const { clientId } = token;
  if (!isDue(ctx, ["line", caller.clientId, clientId], LINE_INTERVAL)) return;
  const about = { caller: caller.clientId, clientId, wanted: scopeOf(caller) };
  ctx.log.warn(about, "introspection of a token whose audience the caller is not in");
  recordWrongAudience(ctx, caller, token).catch((error: unknown) => {
    ctx.log.warn({ ...about, err: error }, "a token of the wrong audience could not be recorded");
  });
}

/** Records the event, unless it was recorded within the hour or the token belongs to another organization. */
export async function recordWrongAudience(ctx: Context, caller: Client, token: ValidToken): Promise<void> {
  const { appId, projectId, organizationId } = caller;
  const { clientId } = token;
  const holder = await findClient(ctx, clientId);
  // A client without an app is a machine, whose tokens are its own: they contain its organization.
  if ((holder?.organizationId ?? token.organizationId) !== organizationId) return;
  if (!isDue(ctx, ["event", appId], EVENT_INTERVAL)) return;
  const type = "app.introspection.not_in_audience";
  await record(asSystem(ctx), {
    type,
    object: { id: appId, organizationId },
    async state({ tx }, now) {
      // Other processes record it as well; the lock serializes them.
      if (!(await lockProject(ctx.db, tx, organizationId, projectId))) return UNCHANGED;
      if (await hasEventSince(tx, { aggregateType: "app", aggregateId: appId, type }, now - EVENT_INTERVAL))
        return UNCHANGED;
      return { payload: { clientId, scope: scopeOf(caller) } };
    },
  });
}

/** Returns the scope that a token for this API must be requested with (rule AUDIENCE-1). */
const scopeOf = ({ projectId }: Client): string => `urn:service:iam:org:project:id:${projectId}:aud`;

/** Whether this was not recorded within the interval; records it. */
function isDue(ctx: Context, about: readonly string[], interval: number): boolean {
  const notes = noted.get(ctx.db) ?? new Map<string, number>();
  noted.set(ctx.db, notes);
  const now = ctx.clock();
  const id = JSON.stringify(about);
  const age = now - (notes.get(id) ?? Number.NEGATIVE_INFINITY);
  if (age >= 0 && age < interval) return false;
  notes.delete(id);
  if (notes.size >= MAX_NOTES) notes.delete(notes.keys().next().value ?? "");
  notes.set(id, now);
  return true;
}
