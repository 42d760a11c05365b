/** Adding a key to an app: one that was made elsewhere, or a new one, whose private half is returned and not stored. */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import type { Origin } from "../../events/record";
import { type ApiError, alreadyExists, failedPrecondition, isApiError } from "../../protocol/api-error";
import { countAppKeysIn, readAppKey } from "../../storage/app-credentials";
import { findApp } from "../../storage/app-list";
import { type KeyFile, makeKeyFile } from "../key-file";
import type { PublicJwk } from "../public-key";
import { type AppPlace, changeInApp, noSuchApp } from "./change";
import { addAppKey } from "./key";

/** Every further one is another that can be lost. */
const MOST_KEYS = 50;

export interface WantedKey {
  /** A new one if it is left out. */
  keyId?: string;
  /** A key pair is made if it is left out. */
  publicKey?: PublicJwk;
  /** Epoch milliseconds; undefined if the key does not expire. */
  expiresAt?: number;
}

/** @returns with `keyDetails` only if the key was made here: the only copy of its private half */
export async function addKeyToApp(
  ctx: Context,
  place: AppPlace,
  { keyId = newId(), publicKey, expiresAt }: WantedKey,
  origin: Origin,
): Promise<{ id: string; keyDetails?: string } | ApiError> {
  if (expiresAt !== undefined && expiresAt <= ctx.clock()) {
    return failedPrecondition("app.key_expired", "The key would have expired.", { field: "expirationDate" });
  }
  const app = await findApp(ctx.db, place);
  if (!app) return noSuchApp();
  const owner = { type: "application", clientId: app.clientId, appId: app.id } as const;
  // Before the transaction, as it takes long.
  const { publicJwk, keyDetails }: { publicJwk: PublicJwk } & Partial<KeyFile> =
    publicKey === undefined ? await makeKeyFile(keyId, owner, expiresAt) : { publicJwk: publicKey };
  const refusal = await changeInApp(ctx, place, origin, async (tx, { id }, { organizationId }) => {
    if (await readAppKey(tx, id, keyId)) {
      return alreadyExists("app.key_id_taken", "The app has a key of this id already.", { field: "keyId" });
    }
    if ((await countAppKeysIn(tx, id)) >= MOST_KEYS) {
      return failedPrecondition("app.too_many_keys", `An app has ${MOST_KEYS} keys at most: remove one.`);
    }
    await addAppKey(ctx, tx, { id, organizationId }, { keyId, publicJwk, expiresAt }, origin);
    return undefined;
  });
  return isApiError(refusal) ? refusal : { id: keyId, ...(keyDetails !== undefined && { keyDetails }) };
}
