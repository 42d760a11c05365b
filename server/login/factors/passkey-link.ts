/**
 * Adds a passkey by a link that an administrator has sent or handed over. Opening it consumes nothing, because mail
 * scanners open links too; adding the passkey does, in the same transaction. It does not sign in: the holder of the
 * link proves at the sign-in that they hold the passkey.
 */
import type { Context } from "../../context";
import { openMailedCode } from "../../directory/mailed-code/open";
import { PASSKEY_PURPOSE, type StoredPasskeyLink } from "../../directory/mailed-code/passkey-link";
import { findUser, type SignInUser } from "../../directory/user/user";
import type { Cause } from "../../events/record";
import type { SignInFlow } from "../../oidc/flow";
import { consumeOneTimeToken } from "../../storage/user/one-time-tokens";
import { keepNewPasskey } from "./passkey";

export interface OpenPasskeyLink {
  user: SignInUser;
  /** The digest of its secret. */
  digest: string;
  /** The flow with which the user continues: signing in to their own account. */
  flow: SignInFlow;
}

/** Returns the user of the link, or when the link was used. */
export async function openPasskeyLink(
  ctx: Context,
  token: string,
): Promise<OpenPasskeyLink | { usedAt: number | undefined }> {
  const opened = await openMailedCode<StoredPasskeyLink>(ctx, { token });
  const isOurs = "row" in opened && opened.row.purpose === PASSKEY_PURPOSE;
  if (!isOurs || opened.kind !== "open") {
    return { usedAt: isOurs && opened.kind === "used" ? opened.at : undefined };
  }
  const { subjectId, payload, digest } = opened.row;
  const user = subjectId === null ? undefined : await findUser(ctx, subjectId);
  const isSameAddress = payload.email === null || payload.email === user?.email;
  if (!user?.mayAuthenticate || !isSameAddress) return { usedAt: undefined };
  const { organizationId, loginName } = user;
  return {
    user,
    digest,
    flow: { kind: "sign-in", page: "account", organizationId, loginName, startedAt: ctx.clock() },
  };
}

export type PasskeyByLinkOutcome =
  | { kind: "dead"; usedAt?: number }
  | { kind: "refused" }
  /** With recovery codes to show, if they are the user's first. */
  | { kind: "added"; link: OpenPasskeyLink; recoveryCodes: string[] | undefined };

export async function keepPasskeyByLink(
  ctx: Context,
  token: string,
  made: { sealed: string; credential: string; cause: Cause },
): Promise<PasskeyByLinkOutcome> {
  const link = await openPasskeyLink(ctx, token);
  if ("usedAt" in link) return { kind: "dead", usedAt: link.usedAt };
  const kept = await keepNewPasskey(ctx, link.user, made, ({ tx }) =>
    consumeOneTimeToken(tx, link.digest, PASSKEY_PURPOSE, ctx.clock()),
  );
  if (kept.kind === "added") return { kind: "added", link, recoveryCodes: kept.recoveryCodes };
  // Another browser with the same link was faster.
  const again = await openPasskeyLink(ctx, token);
  return "usedAt" in again ? { kind: "dead", usedAt: again.usedAt } : { kind: "refused" };
}
