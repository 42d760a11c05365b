/**
 * What a person has set up beside the password: authenticator apps and codes by mail. Every change is an event; the
 * first factor brings recovery codes with it, and the last one takes them away, so that nothing is left that opens a
 * door without a lock.
 */
import type { Context } from "../../context";
import { type Origin, recordIn } from "../../events/record";
import type { Transaction } from "../../storage/database";
import { isUniqueViolation } from "../../storage/engine/violations";
import { countPasskeys } from "../../storage/passkeys";
import {
  countFactors,
  countRecoveryCodes,
  deleteFactor,
  insertFactor,
  replaceRecoveryCodes,
  writeSkipped,
} from "../../storage/second-factors";
import { createRecoveryCodes, type FactorOwner } from "./recovery-codes";

/** Each one more is one more code that is right. */
const MOST_APPS = 5;

export interface AddedFactor {
  kind: "added";
  /** Shown once; undefined where the person has some already. */
  recoveryCodes: string[] | undefined;
}

/**
 * Adds an authenticator app whose code was checked.
 * @param app.id of the enrolment: repeating it adds nothing
 * @param app.step the time step of the code that confirmed it, which signs nobody in any more
 */
export async function addAuthenticatorApp(
  ctx: Context,
  user: FactorOwner,
  app: { id: string; secret: string; step: number; name: string },
  origin: Origin,
): Promise<AddedFactor | { kind: "repeated" } | { kind: "too-many" }> {
  const { id, secret, step: lastStep, name } = app;
  const sealedSecret = ctx.secrets.seal("second-factor", secret);
  return once(() =>
    ctx.db.transaction(async (tx) => {
      if ((await countFactors(tx, user.id, "totp")) >= MOST_APPS) return { kind: "too-many" } as const;
      const row = { id, userId: user.id, kind: "totp", name, sealedSecret, lastStep };
      await recordAdded(ctx, tx, user, origin, "totp", (now) => insertFactor(tx, row, now));
      return { kind: "added", recoveryCodes: await firstRecoveryCodes(ctx, tx, user, origin) } as const;
    }),
  );
}

/** Lets the person get codes at the verified mail address. One row at most: its id is the person's. */
export async function enableMailedCodes(ctx: Context, user: FactorOwner, origin: Origin): Promise<void> {
  const row = {
    id: `email ${user.id}`,
    userId: user.id,
    kind: "email",
    name: null,
    sealedSecret: null,
    lastStep: null,
  };
  await once(() =>
    ctx.db.transaction((tx) => recordAdded(ctx, tx, user, origin, "email", (now) => insertFactor(tx, row, now))),
  );
}

/** The insert decides who was first. */
export async function once<T>(add: () => Promise<T>): Promise<T | { kind: "repeated" }> {
  try {
    return await add();
  } catch (error) {
    if (isUniqueViolation(error)) return { kind: "repeated" };
    throw error;
  }
}

async function recordAdded(
  ctx: Context,
  tx: Transaction,
  user: FactorOwner,
  origin: Origin,
  kind: string,
  insert: (now: number) => Promise<void>,
): Promise<void> {
  await recordIn(ctx, tx, {
    type: "user.second_factor.added",
    aggregateId: user.id,
    resourceOwner: user.organizationId,
    origin,
    async state(_, now) {
      await insert(now);
      return { payload: { kind } };
    },
  });
}

/** Codes for whoever has none. */
export async function firstRecoveryCodes(
  ctx: Context,
  tx: Transaction,
  user: FactorOwner,
  origin: Origin,
): Promise<string[] | undefined> {
  if ((await countRecoveryCodes(tx, user.id)) > 0) return undefined;
  return createRecoveryCodes(ctx, tx, user, origin);
}

/** Takes a factor away; false if the person has no such one. */
export function removeFactor(ctx: Context, user: FactorOwner, id: string, origin: Origin): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const kind = await deleteFactor(tx, user.id, id);
    if (!kind) return false;
    await recordIn(ctx, tx, {
      type: "user.second_factor.removed",
      aggregateId: user.id,
      resourceOwner: user.organizationId,
      origin,
      async state(_, now) {
        await dropUselessCodes(tx, user.id, now);
        return { payload: { kind } };
      },
    });
    return true;
  });
}

/** Recovery codes are worth nothing without a factor they stand in for. */
export async function dropUselessCodes(tx: Transaction, userId: string, now: number): Promise<void> {
  const apps = await countFactors(tx, userId, "totp");
  const mailed = await countFactors(tx, userId, "email");
  if (apps + mailed + (await countPasskeys(tx, userId)) === 0) await replaceRecoveryCodes(tx, userId, [], now);
}

/** "Not now." */
export async function skipSecondFactor(ctx: Context, user: FactorOwner, origin: Origin): Promise<void> {
  await ctx.db.transaction((tx) =>
    recordIn(ctx, tx, {
      type: "user.second_factor.skipped",
      aggregateId: user.id,
      resourceOwner: user.organizationId,
      origin,
      async state(_, now) {
        await writeSkipped(tx, user.id, now);
        return {};
      },
    }),
  );
}
