/** Publishes another key, which waits until an administrator activates it or a rotation uses it. */
import { inTransaction, type OriginContext, recordIn } from "../events/record";
import { type ApiError, failedPrecondition } from "../protocol/api-error";
import type { SigningAlgorithm } from "../protocol/client";
import { lockInstanceRow } from "../storage/instance/instance";
import { countWaitingKeys, insertSigningKey } from "../storage/key/signing-keys";
import { changeKeys, makeKey, ring } from "./key-ring";

/** How many keys of an algorithm may wait. Everyone who verifies tokens reads all of them. */
export const MAX_WAITING = 5;

/** @returns the key's id, and its time of creation in epoch milliseconds */
export async function createSigningKey(
  ctx: OriginContext,
  algorithm: SigningAlgorithm,
): Promise<{ kid: string; createdAt: number } | ApiError> {
  const { rows } = await ring(ctx, 0);
  // Checked before the key is created, as that takes long, and again under the lock of the instance.
  if (rows.filter((row) => row.algorithm === algorithm && row.activeFrom === null).length >= MAX_WAITING) {
    return tooMany();
  }
  const key = await makeKey(ctx, algorithm, null);
  return changeKeys(ctx, () =>
    inTransaction(ctx, async (ctx) => {
      const instance = await lockInstanceRow(ctx.db, ctx.tx);
      if (!instance || (await countWaitingKeys(ctx.tx, algorithm)) >= MAX_WAITING) {
        return tooMany();
      }
      await insertSigningKey(ctx.tx, key);
      await recordIn(ctx, {
        type: "instance.signing_key.added",
        object: { id: instance.id, organizationId: instance.id },
        state: async () => ({ payload: { algorithm, keyId: key.id } }),
      });
      return { kid: key.id, createdAt: key.createdAt };
    }),
  );
}

const tooMany = (): ApiError =>
  failedPrecondition("web_key.too_many", `At most ${MAX_WAITING} keys of an algorithm wait.`);
