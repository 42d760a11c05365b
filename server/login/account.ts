/**
 * A person's own page: what protects the account, and where it is open. Everything that is changed here needs an
 * authentication of the last minutes, so that an unlocked device alone takes nothing over (ASVS 7.5.1).
 */
import type { Context } from "../context";
import { removePasskey, renamePasskey } from "../directory/passkey";
import { createRecoveryCodes } from "../directory/recovery-codes";
import { enableMailedCodes, removeFactor } from "../directory/second-factor";
import { findUser, type SignInUser } from "../directory/user";
import { isMultiFactor } from "../protocol/authentication-context";
import { authenticate, endSessions, listSessions } from "../sessions/session";
import type { UserAgent } from "../sessions/user-agent";
import { listPasskeys, type PasskeyRow } from "../storage/passkeys";
import { type FactorRow, listFactors, listRecoveryCodes } from "../storage/second-factors";
import { listSessionsOfUser, type PersonSessionRow, type SessionRow } from "../storage/sessions";
import { withFactors } from "./second-factor";
import { factorName } from "./set-up-factor";

/** Milliseconds since the last authentication. */
export const FRESH_FOR = 15 * 60_000;

/** Somebody signed in on this browser. */
export interface AccountOwner {
  session: SessionRow;
  user: SignInUser;
  /** Authenticated minutes ago, with everything the person has. */
  isFresh: boolean;
}

/** The owner of a session of this browser. */
export async function accountOwner(
  ctx: Context,
  sessionId: string | undefined,
  userAgent: UserAgent,
): Promise<AccountOwner | undefined> {
  const session = (await listSessions(ctx, userAgent)).find(({ id }) => id === sessionId);
  const user = session && (await findUser(ctx, session.userId));
  if (!session || !user?.mayAuthenticate || session.passwordChangeRequired) return undefined;
  const isRecent = ctx.clock() - session.authTime <= FRESH_FOR;
  // A session from before the second factor was set up has not shown it.
  const isWhole = !session.hasSecondFactor || isMultiFactor(session.amr);
  return { session, user, isFresh: isRecent && isWhole };
}

/**
 * The session of somebody who has just proven a new factor, beside what began it minutes ago.
 * @param proven RFC 8176 values
 * @returns what the browser's cookie must say from now on
 */
export async function strengthenSession(
  ctx: Context,
  { session, user }: AccountOwner,
  proven: readonly string[],
  { userAgent, requestId }: { userAgent: UserAgent; requestId: string | undefined },
): Promise<string> {
  const amr = withFactors(session.amr.split(" "), proven);
  return (await authenticate(ctx, userAgent, user, amr, requestId)).userAgentToken;
}

export interface Account {
  apps: FactorRow[];
  mailedCodes: FactorRow | undefined;
  passkeys: PasskeyRow[];
  recoveryCodesLeft: number;
  sessions: PersonSessionRow[];
}

export async function readAccount(ctx: Context, { user }: AccountOwner): Promise<Account> {
  const now = ctx.clock();
  const [factors, passkeys, codes, sessions] = await Promise.all([
    listFactors(ctx.db, user.id),
    listPasskeys(ctx.db, user.id),
    listRecoveryCodes(ctx.db, user.id),
    listSessionsOfUser(ctx.db, user.id, now, now - ctx.config.lifetimes.sessionIdle),
  ]);
  return {
    apps: factors.filter(({ kind }) => kind === "totp"),
    mailedCodes: factors.find(({ kind }) => kind === "email"),
    passkeys,
    recoveryCodesLeft: codes.length,
    sessions,
  };
}

export type AccountChange =
  | { what: "remove-factor"; id: string }
  | { what: "enable-mail" }
  | { what: "remove-passkey"; id: string }
  | { what: "rename-passkey"; id: string; name: string }
  | { what: "new-codes" }
  | { what: "end-session"; id: string }
  | { what: "end-others" };

export type AccountChangeOutcome =
  /** The person has to show again that it is he. */
  { kind: "stale" } | { kind: "done"; recoveryCodes?: string[] };

/** One change. What is gone already, or somebody else's, stays as it is. */
export async function changeAccount(
  ctx: Context,
  owner: AccountOwner,
  change: AccountChange,
  requestId: string | undefined,
): Promise<AccountChangeOutcome> {
  if (!owner.isFresh) return { kind: "stale" };
  const { user } = owner;
  const origin = { actor: user.id, requestId };
  switch (change.what) {
    case "remove-factor":
      await removeFactor(ctx, user, change.id, origin);
      break;
    case "enable-mail":
      if (user.isEmailVerified && user.email !== null) await enableMailedCodes(ctx, user, origin);
      break;
    case "remove-passkey":
      await removePasskey(ctx, user, change.id, origin);
      break;
    case "rename-passkey": {
      const name = factorName(change.name);
      if (name !== "") await renamePasskey(ctx, user, { id: change.id, name }, origin);
      break;
    }
    case "new-codes":
      if (!(await hasFactor(ctx, user))) break;
      return {
        kind: "done",
        recoveryCodes: await ctx.db.transaction((tx) => createRecoveryCodes(ctx, tx, user, origin)),
      };
    case "end-session":
    case "end-others":
      await endElsewhere(ctx, owner, "id" in change ? change.id : undefined, requestId);
  }
  return { kind: "done" };
}

async function hasFactor(ctx: Context, { id }: SignInUser): Promise<boolean> {
  const [factors, passkeys] = await Promise.all([listFactors(ctx.db, id), listPasskeys(ctx.db, id)]);
  return factors.length + passkeys.length > 0;
}

/** @param only the session to end; all but this one where none is named */
async function endElsewhere(
  ctx: Context,
  owner: AccountOwner,
  only: string | undefined,
  requestId: string | undefined,
): Promise<void> {
  const { sessions } = await readAccount(ctx, owner);
  const others = sessions.filter(({ id }) => id !== owner.session.id && (only === undefined || id === only));
  await endSessions(ctx, others, requestId);
}
