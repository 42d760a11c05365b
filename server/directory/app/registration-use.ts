/**
 * How long clients are kept that no administrator registered (rule REGISTER-5): 30 days if no user ever signed in to
 * them, otherwise a year after the last use, which is noted once a day.
 */
import type { Context } from "../../context";
import type { Client } from "../../protocol/client";
import { markRegistrationUsed } from "../../storage/app/registrations";

const DAY = 86_400_000;
/** Milliseconds from the registration of a client that is never used. */
export const UNUSED_LIFETIME = 30 * DAY;
/** Milliseconds from the last use: longer than any refresh token lives. */
export const USED_LIFETIME = 365 * DAY;

const notedAt = new WeakMap<Context["db"], Map<string, number>>();
/** How many clients are remembered; after that, some are noted again before a day is over. */
const MAX_NOTED = 10_000;

/** Notes in the background that tokens or a code were issued for a client, at most once a day. */
export function noteClientUse(
  ctx: Context,
  { origin, appId, usedAt }: Pick<Client, "origin" | "appId" | "usedAt">,
): void {
  if (origin === "administrator" || appId === "") return;
  const noted = notedAt.get(ctx.db) ?? new Map<string, number>();
  notedAt.set(ctx.db, noted);
  const now = ctx.clock();
  if (now - Math.max(usedAt ?? 0, noted.get(appId) ?? 0) < DAY) return;
  if (noted.size >= MAX_NOTED) noted.clear();
  noted.set(appId, now);
  markRegistrationUsed(ctx.db, appId, now, now + USED_LIFETIME).catch((err: unknown) => {
    noted.delete(appId); // the next use is noted
    ctx.log.warn({ err, appId }, "the use of a client could not be noted");
  });
}
