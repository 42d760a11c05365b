/**
 * Makes a secret for an app: either in addition to the existing ones, so that the app can change over without an
 * interruption, or as their replacement.
 */
import type { Context } from "../../context";
import { randomSecret } from "../../crypto/random";
import type { Origin } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
import { readAppSecrets } from "../../storage/app/credentials";
import { type AppRef, changeInApp, wrongAppKind } from "./change";
import { addAppSecret, MAX_SECRETS, removeAppSecret, usesSecret } from "./secret";

export interface WantedSecret {
  kind: "oidc" | "api";
  /** Whether the existing secrets stay valid. */
  keepOthers: boolean;
  /** Epoch milliseconds; undefined if it does not expire. */
  expiresAt?: number;
}

/**
 * Makes a secret for an app.
 * @returns the secret in plain text; only its digest is stored
 */
export async function makeAppSecret(
  ctx: Context,
  ref: AppRef,
  { kind, keepOthers, expiresAt }: WantedSecret,
  origin: Origin,
): Promise<{ clientSecret: string; secretId: string } | ApiError> {
  if (expiresAt !== undefined && expiresAt <= ctx.clock()) {
    return failedPrecondition(
      "app.secret_expired",
      "The secret would have expired already. Choose a time in the future.",
      {
        field: "expiresAt",
      },
    );
  }
  const clientSecret = randomSecret();
  const secretId = await changeInApp(ctx, ref, origin, async (tx, stored, { organizationId }) => {
    if (stored.kind !== kind) return wrongAppKind(kind);
    if (!usesSecret(stored.settings as { authMethodType?: string })) {
      return failedPrecondition(
        "app.no_secret_method",
        "This app does not authenticate with a secret. Change its authentication method first.",
      );
    }
    const owned = { id: stored.id, organizationId };
    const others = await readAppSecrets(tx, stored.id);
    if (!keepOthers) {
      for (const other of others) await removeAppSecret(ctx, tx, owned, other, origin);
    } else if (others.length >= MAX_SECRETS) {
      return failedPrecondition("app.too_many_secrets", `An app has ${MAX_SECRETS} secrets at most: remove one.`);
    }
    return addAppSecret(ctx, tx, owned, { secret: clientSecret, expiresAt }, origin);
  });
  return isApiError(secretId) ? secretId : { clientSecret, secretId };
}
