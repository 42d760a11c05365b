/** Removes a key of an app. Signatures made with it are rejected from then on. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { readAppKey } from "../../storage/app/credentials";
import { type AppRef, reduceInApp } from "./change";
import { removeAppKey } from "./key";
import { noSuchKey } from "./list-keys";

export function removeKeyOfApp(
  ctx: Context,
  ref: AppRef,
  keyId: string,
  origin: Origin,
): Promise<undefined | ApiError> {
  return reduceInApp(ctx, ref, async (tx, { id }, { organizationId }) => {
    if (!(await readAppKey(tx, id, keyId))) return noSuchKey();
    await removeAppKey(ctx, tx, { id, organizationId }, keyId, origin);
    return undefined;
  });
}
