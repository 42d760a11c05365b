/**
 * Recovery codes, for users who lost the device with their second factor. They are short enough to write down, so the
 * database stores a MAC of each, and attempts are counted where they are checked (ASVS 6.5.1, 6.5.2).
 */
import type { Context } from "../../context";
import { comparableCode, shownCode } from "../../crypto/normalize-code";
import { newId, randomCode } from "../../crypto/random";
import { type ChangeContext, inTransaction, type OriginContext, recordIn } from "../../events/record";
import {
  consumeRecoveryCode,
  countRecoveryCodes,
  listRecoveryCodes,
  replaceRecoveryCodes,
} from "../../storage/factor/second-factors";
import { noticesAbout } from "./notices";

const HOW_MANY = 10;

export interface FactorOwner {
  id: string;
  organizationId: string;
}

/** Replaces all codes with ten new ones, which can be shown only once. */
export async function createRecoveryCodes(ctx: ChangeContext, user: FactorOwner): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, () => randomCode());
  await recordIn(ctx, {
    type: "user.recovery_codes.created",
    object: user,
    async state(_, now) {
      const rows = codes.map((code) => ({ id: newId(), digest: macOf(ctx, user.id, code).toString("base64url") }));
      await replaceRecoveryCodes(ctx.tx, user.id, rows, now);
      return {};
    },
  });
  return codes.map(shownCode);
}

/** Consumes a code. Returns false if it is not one of this user's unused codes. */
export async function useRecoveryCode(ctx: OriginContext, user: FactorOwner, typed: string): Promise<boolean> {
  const code = comparableCode(typed);
  const rows = await listRecoveryCodes(ctx.db, user.id);
  const message = input(user.id, code);
  const match = rows.find(({ digest }) =>
    ctx.secrets.verifyMac("second-factor", message, Buffer.from(digest, "base64url")),
  );
  if (!match) return false;
  return inTransaction(ctx, async (ctx) => {
    if (!(await consumeRecoveryCode(ctx.tx, match.id, ctx.clock()))) return false;
    await recordIn(ctx, {
      type: "user.recovery_code.used",
      object: user,
      async state(_, now) {
        const left = await countRecoveryCodes(ctx.tx, user.id);
        const messages = left === 0 ? await noticesAbout(ctx, user.id, "recoveryCodesUsed", { at: now }) : [];
        return { payload: { left }, messages };
      },
    });
    return true;
  });
}

/** Removes all codes of a user. Returns false if there are none. */
export function removeRecoveryCodes(ctx: OriginContext, user: FactorOwner): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    if ((await countRecoveryCodes(ctx.tx, user.id)) === 0) return false;
    await recordIn(ctx, {
      type: "user.recovery_codes.removed",
      object: user,
      async state(_, now) {
        await replaceRecoveryCodes(ctx.tx, user.id, [], now);
        return {};
      },
    });
    return true;
  });
}

function macOf(ctx: Context, userId: string, code: string): Buffer {
  return ctx.secrets.mac("second-factor", input(userId, code));
}

/** Returns the input of the MAC. It includes the user, so that a MAC copied to another's row is useless. */
function input(userId: string, code: string): Buffer {
  return Buffer.from(`recovery-code:${userId}:${code}`);
}
