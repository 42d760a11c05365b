/**
 * Tells those who run an API why introspection says `{"active":false}` about a token that lives: the API is not in its
 * audience, mostly because the token was requested without the scope for the API's project. The answer itself must not
 * say so (RFC 7662 §4), so a line in the log does, for whoever runs the service, and an event of the API, for its
 * organization.
 *
 * Attack: finding out by one's own API whether a token lives that was found somewhere. The event is only recorded where
 * the token was issued to a client of the API's own organization, which could ask about it as itself.
 */
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { record, UNCHANGED } from "../events/record";
import type { Client } from "../protocol/client";
import type { LiveToken } from "../storage/access-tokens";
import { hasEventSince } from "../storage/events";
import { lockProject } from "../storage/projects";

/** Milliseconds between two lines about the same caller and client. */
const LINE_INTERVAL = 60_000;
/** Milliseconds between two events of the same API. */
const EVENT_INTERVAL = 3_600_000;
/** What is remembered, so that nobody can fill the memory. */
const MAX_NOTES = 1_000;
const noted = new WeakMap<Context["db"], Map<string, number>>();

/** Not for every call: a line a minute, an event an hour. Does not wait, so that the time of the answer tells nothing. */
export function noteWrongAudience(ctx: Context, caller: Client, token: LiveToken): void {
  const { clientId } = token;
  if (!isDue(ctx, ["line", caller.clientId, clientId], LINE_INTERVAL)) return;
  const about = { caller: caller.clientId, clientId, wanted: scopeOf(caller) };
  ctx.log.warn(about, "introspection of a token whose audience the caller is not in");
  recordWrongAudience(ctx, caller, token).catch((error: unknown) => {
    ctx.log.warn({ ...about, err: error }, "a token of the wrong audience could not be recorded");
  });
}

/** The event, unless it was recorded within the hour or the token is another organization's. */
export async function recordWrongAudience(ctx: Context, caller: Client, token: LiveToken): Promise<void> {
  const { appId, projectId, organizationId } = caller;
  const { clientId } = token;
  const holder = await findClient(ctx, clientId);
  // A client without an app is a machine, whose tokens are its own: they name its organization.
  if ((holder?.organizationId ?? token.organizationId) !== organizationId) return;
  if (!isDue(ctx, ["event", appId], EVENT_INTERVAL)) return;
  const event = { type: "app.introspection.not_in_audience", aggregateId: appId } as const;
  await record(ctx, {
    ...event,
    resourceOwner: organizationId,
    origin: { actor: "system" },
    async state(tx, now) {
      // Other processes ask as well: the lock makes them wait for each other.
      if (!(await lockProject(ctx.db, tx, organizationId, projectId))) return UNCHANGED;
      if (await hasEventSince(tx, { aggregateType: "app", ...event }, now - EVENT_INTERVAL)) return UNCHANGED;
      return { payload: { clientId, scope: scopeOf(caller) } };
    },
  });
}

/** What whoever requests tokens for this API must ask for (rule AUDIENCE-1). */
const scopeOf = ({ projectId }: Client): string => `urn:service:iam:org:project:id:${projectId}:aud`;

/** Whether this was not noted within the interval; it is now. */
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
