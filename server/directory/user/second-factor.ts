/**
 * A user's second factors: authenticator apps and codes that are sent. Every change is an event. Adding the first
 * factor creates recovery codes, and removing the last one removes them, so that no unused credential remains.
 */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import {
  type ChangeContext,
  inTransaction,
  type OriginContext,
  record,
  recordIn,
  type TransactionContext,
} from "../../events/record";
import type { FactorKind, SentKind } from "../../protocol/second-factor";
import { isUniqueViolation } from "../../storage/engine/violations";
import { countPasskeys } from "../../storage/factor/passkeys";
import {
  countFactors,
  countRecoveryCodes,
  deleteFactor,
  insertFactor,
  replaceRecoveryCodes,
  writeSkipped,
} from "../../storage/factor/second-factors";
import { lockUser } from "../../storage/user/user";
import { noticesAbout } from "./notices";
import { createRecoveryCodes, type FactorOwner } from "./recovery-codes";

/** Each additional app adds a valid code to guess. */
const MAX_AUTHENTICATOR_APPS = 5;

export interface AddedFactor {
  kind: "added";
  /** Shown once; undefined if the user already has some. */
  recoveryCodes: string[] | undefined;
}

export interface ConfirmedApp {
  /** The enrolment's id, so that repeating it adds nothing. */
  id: string;
  /** Base32. */
  secret: string;
  /** The time step of the confirming code, which cannot be used again. */
  timeStep: number;
  name: string;
}

/** Adds an authenticator app whose code was checked. */
export async function addAuthenticatorApp(
  ctx: OriginContext,
  user: FactorOwner,
  app: ConfirmedApp,
): Promise<AddedFactor | { kind: "repeated" } | { kind: "too-many" }> {
  return once(() => inTransaction(ctx, (ctx) => addAuthenticatorAppIn(ctx, user, app)));
}

/** Adds an authenticator app within the caller's transaction. Rejects (unique constraint) if it was already added. */
export async function addAuthenticatorAppIn(
  ctx: ChangeContext,
  user: FactorOwner,
  { id, secret, timeStep: lastStep, name }: ConfirmedApp,
): Promise<AddedFactor | { kind: "too-many" }> {
  await lockUser(ctx.db, ctx.tx, user.id);
  if ((await countFactors(ctx.tx, user.id, "totp")) >= MAX_AUTHENTICATOR_APPS) return { kind: "too-many" };
  const sealedSecret = ctx.secrets.seal("second-factor", secret);
  const row = { id, userId: user.id, kind: "totp" as const, name, sealedSecret, lastStep };
  await recordAdded(ctx, user, "totp", (now) => insertFactor(ctx.tx, row, now));
  return { kind: "added", recoveryCodes: await firstRecoveryCodes(ctx, user) };
}

/**
 * Adds the authenticator app that a person used in another system. It sends no notice, as the person did nothing, and
 * makes no recovery codes, as no one would see them.
 * @param secret in base32
 * @returns false if the person has an app already
 */
export async function importAuthenticatorAppIn(
  ctx: ChangeContext,
  user: FactorOwner,
  { secret, name }: { secret: string; name: string },
): Promise<boolean> {
  if ((await countFactors(ctx.tx, user.id, "totp")) > 0) return false;
  const sealedSecret = ctx.secrets.seal("second-factor", secret);
  const row = { id: newId(), userId: user.id, kind: "totp" as const, name, sealedSecret, lastStep: 0 };
  await recordIn(ctx, {
    type: "user.second_factor.added",
    object: user,
    async state(_, now) {
      await insertFactor(ctx.tx, row, now);
      return { payload: { kind: "totp" } };
    },
  });
  return true;
}

/**
 * Returns the id of a factor whose codes are sent. It contains the user's id, so there is at most one row of a kind.
 */
export function sentFactorId(kind: SentKind, userId: string): string {
  return `${kind} ${userId}`;
}

/** Enables codes that are sent to a verified address. */
export async function enableSentCodes(ctx: OriginContext, user: FactorOwner, kind: SentKind): Promise<void> {
  await once(() => inTransaction(ctx, (ctx) => enableSentCodesIn(ctx, user, kind)));
}

/** Enables codes within the caller's transaction. Rejects (unique constraint) if they are already enabled. */
export async function enableSentCodesIn(ctx: ChangeContext, user: FactorOwner, kind: SentKind): Promise<void> {
  const row = {
    id: sentFactorId(kind, user.id),
    userId: user.id,
    kind,
    name: null,
    sealedSecret: null,
    lastStep: null,
  };
  await lockUser(ctx.db, ctx.tx, user.id);
  await recordAdded(ctx, user, kind, (now) => insertFactor(ctx.tx, row, now));
}

/** Runs an addition and returns `repeated` if it violates a unique constraint. */
export async function once<T>(add: () => Promise<T>): Promise<T | { kind: "repeated" }> {
  try {
    return await add();
  } catch (error) {
    if (isUniqueViolation(error)) return { kind: "repeated" };
    throw error;
  }
}

async function recordAdded(
  ctx: ChangeContext,
  user: FactorOwner,
  kind: FactorKind,
  insert: (now: number) => Promise<void>,
): Promise<void> {
  await recordIn(ctx, {
    type: "user.second_factor.added",
    object: user,
    async state(_, now) {
      await insert(now);
      return {
        payload: { kind },
        messages: await noticesAbout(ctx, user.id, "factorAdded", { at: now, factor: kind }),
      };
    },
  });
}

/** Creates recovery codes for a user without any. */
export async function firstRecoveryCodes(ctx: ChangeContext, user: FactorOwner): Promise<string[] | undefined> {
  if ((await countRecoveryCodes(ctx.tx, user.id)) > 0) return undefined;
  return createRecoveryCodes(ctx, user);
}

/** Removes a factor. Returns false if the user has no such factor. */
export function removeFactor(ctx: OriginContext, user: FactorOwner, id: string): Promise<boolean> {
  return inTransaction(ctx, (ctx) => removeFactorIn(ctx, user, id));
}

/** Removes a factor within the caller's transaction. */
export async function removeFactorIn(ctx: ChangeContext, user: FactorOwner, id: string): Promise<boolean> {
  const kind = await deleteFactor(ctx.tx, user.id, id);
  if (!kind) return false;
  await recordIn(ctx, {
    type: "user.second_factor.removed",
    object: user,
    async state(_, now) {
      await dropUselessCodes(ctx, user.id, now);
      const messages = await noticesAbout(ctx, user.id, "factorRemoved", { at: now, factor: kind });
      return { payload: { kind }, messages };
    },
  });
  return true;
}

/** Removes recovery codes if the user has no factor that they could replace, and none is being added. */
export async function dropUselessCodes(ctx: TransactionContext, userId: string, now: number): Promise<void> {
  await lockUser(ctx.db, ctx.tx, userId);
  const factors = await countFactors(ctx.tx, userId);
  if (factors + (await countPasskeys(ctx.tx, userId)) === 0) await replaceRecoveryCodes(ctx.tx, userId, [], now);
}

/** Records that the user is offered a passkey, so that closing the page counts as "Not now". */
export async function noteOffer(ctx: Context, user: FactorOwner): Promise<void> {
  await ctx.db.transaction((tx) => writeSkipped(tx, user.id, ctx.clock()));
}

/**
 * Records that the user chose "Not now".
 * @param forever whether it was "Never ask again"
 */
export async function skipSecondFactor(ctx: OriginContext, user: FactorOwner, forever = false): Promise<void> {
  await record(ctx, {
    type: "user.second_factor.skipped",
    object: user,
    async state({ tx }, now) {
      await writeSkipped(tx, user.id, now, forever);
      return { payload: forever ? { forever } : {} };
    },
  });
}
