/**
 * Removes a key in an emergency, because its private part may have leaked. Tokens that it signed are rejected by
 * everyone who fetches the key set again. Another key of the algorithm takes over at once, even if it has not been
 * published for long enough, and another one waits, so there is always a key.
 */
import { inTransaction, type OriginContext, recordIn } from "../events/record";
import type { SigningAlgorithm } from "../protocol/client";
import { lockInstanceRow } from "../storage/instance/instance";
import {
  countWaitingKeys,
  deleteSigningKey,
  insertSigningKey,
  readSigningKeys,
  startSigningKey,
} from "../storage/key/signing-keys";
import { changeKeys, makeKey, PUBLISHED_AHEAD, ring } from "./key-ring";

export interface RemovedKey {
  algorithm: SigningAlgorithm;
  /** The key that signs from now on. */
  activeKeyId: string;
}

/** @returns undefined if there is no such key */
export async function removeSigningKey(ctx: OriginContext, keyId: string): Promise<RemovedKey | undefined> {
  const known = (await ring(ctx, 0)).rows.find(({ id }) => id === keyId);
  if (!known) return undefined;
  const algorithm = known.algorithm as SigningAlgorithm;
  // Created before the transaction, as that takes long; discarded if they are not needed.
  const [replacement, following] = [await makeKey(ctx, algorithm, null), await makeKey(ctx, algorithm, null)];
  return changeKeys(ctx, () =>
    inTransaction(ctx, async (ctx) => {
      const { tx } = ctx;
      const instance = await lockInstanceRow(ctx.db, tx);
      const now = ctx.clock();
      const rows = await readSigningKeys(tx, algorithm, now);
      const removed = rows.find(({ id }) => id === keyId);
      if (!instance || !removed) return undefined;
      await deleteSigningKey(tx, keyId);
      const startOf = ({ activeFrom }: (typeof rows)[number]) => activeFrom ?? Number.POSITIVE_INFINITY;
      const inTurn = rows.toSorted((a, b) => startOf(a) - startOf(b));
      const signing = inTurn.findLast((row) => startOf(row) <= now);
      const ahead = inTurn.filter((row) => row !== removed && startOf(row) > now);
      const [heir] = ahead;
      let activeKeyId = signing?.id ?? "";
      if (removed === signing) {
        activeKeyId = heir?.id ?? replacement.id;
        if (heir) await startSigningKey(tx, heir.id, now);
        else await insertSigningKey(tx, { ...replacement, activeFrom: now });
      } else if (heir && removed.activeFrom && startOf(removed) > now) {
        // The removed key was the announced successor. The next one follows, as soon as every cache can know it.
        await startSigningKey(tx, heir.id, Math.max(now, heir.createdAt + PUBLISHED_AHEAD));
      }
      const waiting = await countWaitingKeys(tx, algorithm);
      if (waiting === 0) await insertSigningKey(tx, following);
      await recordIn(ctx, {
        type: "instance.signing_key.removed",
        object: { id: instance.id, organizationId: instance.id },
        state: async () => ({ payload: { algorithm, keyId } }),
      });
      return { algorithm, activeKeyId };
    }),
  );
}
