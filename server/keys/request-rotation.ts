/**
 * Rotation of the signing keys at an administrator's request. The service also rotates by itself
 * (rotate-signing-key.ts).
 */
import type { Context } from "../context";
import type { OriginContext } from "../events/record";
import { type ApiError, failedPrecondition, notFound } from "../protocol/api-error";
import type { SigningAlgorithm } from "../protocol/client";
import type { SigningKeyRow } from "../storage/key/signing-keys";
import { ring } from "./key-ring";
import { rotateSigningKey, type SigningTurn } from "./rotate-signing-key";
import { listSigningKeys } from "./signing-keys";

/**
 * Rotates the keys. Rejected while a key is announced to sign: another one after it would sign before caches can know
 * it.
 * @returns the key that signs next
 */
export function requestRotation(ctx: OriginContext, algorithm: SigningAlgorithm): Promise<SigningTurn | ApiError> {
  return rotateSigningKey<ApiError>(ctx, algorithm, (rows, now) => {
    const announced = announcedKey(rows, now);
    return announced ? underWay(announced) : { follows: undefined };
  });
}

/**
 * Rotates to a given key among those that wait. A key that signs already, or has a start time already, is left
 * unchanged.
 */
export async function activateKey(ctx: OriginContext, keyId: string): Promise<SigningTurn | ApiError> {
  const key = (await listSigningKeys(ctx)).find(({ kid }) => kid === keyId);
  if (!key) return noSuchKey();
  return rotateSigningKey<SigningTurn | ApiError>(ctx, key.algorithm as SigningAlgorithm, (rows, now) => {
    const chosen = rows.find(({ id }) => id === keyId);
    if (!chosen) return noSuchKey();
    const { activeFrom } = chosen;
    const announced = announcedKey(rows, now);
    if (activeFrom === null) return announced ? underWay(announced) : { follows: keyId };
    const isSuperseded = rows.some(
      (row) => row.activeFrom !== null && row.activeFrom <= now && row.activeFrom > activeFrom,
    );
    return isSuperseded ? superseded() : { kid: keyId, activeFrom };
  });
}

/** Returns the key of the algorithm that is announced to sign at a later time. */
export async function announcedTurn(ctx: Context, algorithm: SigningAlgorithm): Promise<SigningTurn | undefined> {
  const { rows } = await ring(ctx, 0);
  return announcedKey(
    rows.filter((row) => row.algorithm === algorithm),
    ctx.clock(),
  );
}

function announcedKey(rows: readonly Pick<SigningKeyRow, "id" | "activeFrom">[], now: number): SigningTurn | undefined {
  for (const { id, activeFrom } of rows) {
    if (activeFrom !== null && activeFrom > now) return { kid: id, activeFrom };
  }
  return undefined;
}

const noSuchKey = (): ApiError =>
  notFound("web_key.not_found", "This key does not exist. List the keys to find its ID.");
const superseded = (): ApiError =>
  failedPrecondition("web_key.superseded", "A retired key cannot sign again. Create a new one.");
const underWay = ({ kid }: SigningTurn): ApiError =>
  failedPrecondition("web_key.rotation_under_way", `The key ${kid} follows already.`, { field: "algorithm" });
