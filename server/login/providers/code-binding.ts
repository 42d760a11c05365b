/**
 * Binds each code to the state with which it came first (attack: mix-up, RFC 9700 §4.4). All providers lead back to one
 * address of ours, and many do not say in their response who they are. A hostile provider can therefore send users on
 * to another one, whose code comes back with the hostile one's state and is sent there. Afterwards it must be worth
 * nothing here, or its thief would sign in with it as that user.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { FLOW_LIFETIME } from "../../oidc/flow";
import { findOneTimeToken, spendOneTimeToken } from "../../storage/user/one-time-tokens";

const codeDigest = (code: string) => digest(`${code}.code`);

/**
 * Spends the state of a response and binds its code to it, unless the code is bound already.
 * @returns true for one caller
 */
export function spendState(ctx: Context, state: string, code: string | null): Promise<boolean> {
  const now = ctx.clock();
  const bound = code !== null && {
    digest: codeDigest(code),
    purpose: "provider_code" as const,
    subjectId: null,
    payload: { state: digest(state) },
    createdAt: now,
    expiresAt: now + FLOW_LIFETIME,
  };
  return spendOneTimeToken(ctx.db, digest(state), "provider_sign_in", now, bound || undefined);
}

/** @throws if the code came with another state before */
export async function checkBinding(ctx: Context, code: string, state: string): Promise<void> {
  const bound = await findOneTimeToken<{ state?: string }>(ctx.db, codeDigest(code));
  if (bound?.payload.state !== digest(state)) throw new Error("its code came with another sign-in before");
}
