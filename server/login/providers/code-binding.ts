/**
 * Binds each code to the token endpoint that it was sent to first (attack: mix-up, RFC 9700 §4.4). All providers lead
 * back to one address of ours, and many do not say in their response who they are. A hostile provider can therefore
 * send users on to another one, whose code comes back with the hostile one's state and is sent there. Afterwards it
 * must be worth nothing here, or its thief would sign in with it as that user.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { FLOW_LIFETIME } from "../../oidc/flow";
import { findOneTimeToken, storeOneTimeToken } from "../../storage/user/one-time-tokens";

/** @throws if the code was sent to another endpoint before */
export async function bindCode(ctx: Context, code: string, endpoint = ""): Promise<void> {
  const now = ctx.clock();
  const row = {
    digest: digest(`${code}.code`),
    purpose: "provider_code" as const,
    subjectId: null,
    payload: { endpoint: digest(endpoint) },
    createdAt: now,
    expiresAt: now + FLOW_LIFETIME,
  };
  if (await storeOneTimeToken(ctx.db, row)) return;
  const known = await findOneTimeToken<{ endpoint: string }>(ctx.db, row.digest);
  if (known?.payload.endpoint !== row.payload.endpoint) throw new Error("its code came from another provider");
}
