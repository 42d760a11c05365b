/** Rotating the signing keys at an administrator's request; the service does so by itself, too (signing-keys.ts). */
import type { Context } from "../context";
import type { Origin } from "../events/record";
import { type ApiError, failedPrecondition } from "../protocol/api-error";
import type { SigningAlgorithm } from "../protocol/client";
import { listSigningKeys, rotateSigningKey } from "./signing-keys";

/**
 * Refused while a key waits for its moment: another one after it would sign before caches can know it.
 * @returns the id of the key that signs next, and from when on, in epoch milliseconds
 */
export async function requestRotation(
  ctx: Context,
  algorithm: SigningAlgorithm,
  origin: Origin,
): Promise<{ kid: string; activeFrom: number } | ApiError> {
  const now = ctx.clock();
  const keys = (await listSigningKeys(ctx)).filter((key) => key.algorithm === algorithm);
  const announced = keys.find(({ activeFrom }) => activeFrom !== null && activeFrom > now);
  if (announced) {
    const reason = `The key ${announced.kid} follows already.`;
    return failedPrecondition("web_key.rotation_under_way", reason, { field: "algorithm" });
  }
  return rotateSigningKey(ctx, algorithm, origin);
}
