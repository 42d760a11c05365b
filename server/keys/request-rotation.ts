/** Rotating the signing keys at an administrator's request; the service does so by itself, too (signing-keys.ts). */
import type { Context } from "../context";
import type { Origin } from "../events/record";
import { type ApiError, failedPrecondition, notFound } from "../protocol/api-error";
import type { SigningAlgorithm } from "../protocol/client";
import { type KeyState, listSigningKeys, rotateSigningKey } from "./signing-keys";

/** A key, and from when on it signs, epoch milliseconds. */
export interface Turn {
  kid: string;
  activeFrom: number;
}

/**
 * Refused while a key waits for its moment: another one after it would sign before caches can know it.
 * @returns the key that signs next
 */
export async function requestRotation(
  ctx: Context,
  algorithm: SigningAlgorithm,
  origin: Origin,
): Promise<Turn | ApiError> {
  const announced = announcedKey(await listSigningKeys(ctx), algorithm, ctx.clock());
  return announced ? underWay(announced) : rotateSigningKey(ctx, algorithm, origin);
}

/**
 * Rotates to a key of one's choice among those that wait. One that signs already, or has its moment already, is left as
 * it is.
 */
export async function activateKey(ctx: Context, keyId: string, origin: Origin): Promise<Turn | ApiError> {
  const keys = await listSigningKeys(ctx);
  const chosen = keys.find(({ kid }) => kid === keyId);
  if (!chosen) return notFound("web_key.not_found", "There is no such key.");
  if (chosen.state === "retired") {
    return failedPrecondition("web_key.superseded", "A key that was superseded does not sign again.");
  }
  if (chosen.activeFrom !== null) return { kid: keyId, activeFrom: chosen.activeFrom };
  const algorithm = chosen.algorithm as SigningAlgorithm;
  const announced = announcedKey(keys, algorithm, ctx.clock());
  return announced ? underWay(announced) : rotateSigningKey(ctx, algorithm, origin, keyId);
}

/** The key that was told to sign, but only from later on. */
export function announcedKey(keys: readonly KeyState[], algorithm: SigningAlgorithm, now: number): Turn | undefined {
  for (const { kid, activeFrom, ...key } of keys) {
    if (key.algorithm === algorithm && activeFrom !== null && activeFrom > now) return { kid, activeFrom };
  }
  return undefined;
}

const underWay = ({ kid }: Turn): ApiError =>
  failedPrecondition("web_key.rotation_under_way", `The key ${kid} follows already.`, { field: "algorithm" });
