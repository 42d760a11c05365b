/** Removes a secret of an app. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, notFound } from "../../protocol/api-error";
import { readAppSecrets } from "../../storage/app/credentials";
import { type AppRef, reduceInApp } from "./change";
import { removeAppSecret } from "./secret";

export function removeSecretOfApp(
  ctx: Context,
  ref: AppRef,
  secretId: string,
  origin: Origin,
): Promise<undefined | ApiError> {
  return reduceInApp(ctx, ref, async (tx, { id: appId }, { organizationId }) => {
    const secret = (await readAppSecrets(tx, appId)).find(({ id }) => id === secretId);
    if (!secret) return notFound("app.secret_not_found", "The app has no such secret.");
    await removeAppSecret(ctx, tx, { id: appId, organizationId }, secret, origin);
    return undefined;
  });
}
