/**
 * Adds a key to an app: either a registered public key, or a new key pair whose private half is returned and not
 * stored.
 */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { countAppKeysIn, readAppKey } from "../../storage/app/credentials";
import { findApp } from "../../storage/app/list";
import { checkExpiry, checkKeyCount, keyIdTaken, prepareKey, type WantedKey } from "../new-key";
import { type AppRef, changeInApp, noSuchApp } from "./change";
import { addAppKey } from "./key";

/**
 * Adds a key to an app.
 * @returns the key's id; `keyDetails`, the only copy of the private key, is present only if the key pair was generated
 * here
 */
export async function addKeyToApp(
  ctx: Context,
  ref: AppRef,
  wanted: WantedKey,
  origin: Origin,
): Promise<{ id: string; keyDetails?: string } | ApiError> {
  const expired = checkExpiry(ctx, "app", wanted);
  if (expired) return expired;
  const app = await findApp(ctx.db, ref);
  if (!app) return noSuchApp();
  const key = await prepareKey(wanted, { type: "application", clientId: app.clientId, appId: app.id });
  const refusal = await changeInApp(ctx, ref, origin, async (tx, { id }, { organizationId }) => {
    if (await readAppKey(tx, id, key.keyId)) return keyIdTaken("app");
    const tooMany = checkKeyCount("app", await countAppKeysIn(tx, id));
    if (tooMany) return tooMany;
    await addAppKey(ctx, tx, { id, organizationId }, key, origin);
    return undefined;
  });
  if (isApiError(refusal)) return refusal;
  const { keyId, keyDetails } = key;
  return { id: keyId, ...(keyDetails !== undefined && { keyDetails }) };
}
