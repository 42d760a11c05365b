/**
 * The security of a user's account and where it is in use: factors, recovery codes, sessions, connected apps. Every
 * change requires an authentication within the last minutes.
 */
import type { Context } from "../../context";
import { listUsableProviders } from "../../directory/identity-provider/identity-provider";
import { removeOwnIdentityLink } from "../../directory/identity-provider/links";
import { findPolicy } from "../../directory/policy/policies";
import { removePasskey, renamePasskey } from "../../directory/user/passkey";
import { createRecoveryCodes } from "../../directory/user/recovery-codes";
import { removeFactor } from "../../directory/user/second-factor";
import type { SignInUser } from "../../directory/user/user";
import { type Cause, inTransaction } from "../../events/record";
import { revokeGrant } from "../../oidc/revoke-grant";
import { revokingProviderTokens } from "../../oidc/revoke-provider-tokens";
import { isApiError } from "../../protocol/api-error";
import type { SecondFactorType, SentKind } from "../../protocol/second-factor";
import { endSessions } from "../../sessions/session";
import { listPasskeys, type PasskeyRow } from "../../storage/factor/passkeys";
import { type FactorRow, listFactors, listRecoveryCodes } from "../../storage/factor/second-factors";
import { listAppNames } from "../../storage/grant/connected-apps";
import { listOfflineGrantsElsewhere } from "../../storage/grant/ended-grants";
import { listIdentityLinks, type ShownLink } from "../../storage/identity-provider/links";
import { listSessionsOfUser, type PersonSessionRow } from "../../storage/session/session";
import { factorName, setUpSentCodes } from "../factors/set-up-factor";
import { CHANNELS } from "../factors/table";
import { endAgent } from "./agents";
import { disconnectApp } from "./apps";
import type { AccountOwner, FreshOwner } from "./owner";

export interface Protection {
  apps: FactorRow[];
  /** Codes that are sent: the destination of each kind, and its row if it is turned on. */
  sent: SentCodes[];
  passkeys: PasskeyRow[];
  /** The factors that the organization permits. */
  permitted: readonly SecondFactorType[];
  recoveryCodesLeft: number;
}

export interface SentCodes {
  kind: SentKind;
  /** The verified address or number; undefined if it does not exist. */
  address: string | undefined;
  factor: FactorRow | undefined;
}

/** Returns the protection of the account in addition to the password. */
export async function readProtection(ctx: Context, { user }: AccountOwner): Promise<Protection> {
  const [factors, passkeys, codes, { secondFactors }] = await Promise.all([
    listFactors(ctx.db, user.id),
    listPasskeys(ctx.db, user.id),
    listRecoveryCodes(ctx.db, user.id),
    findPolicy(ctx, "login", user.organizationId),
  ]);
  return {
    apps: factors.filter(({ kind }) => kind === "totp"),
    sent: CHANNELS.map(({ kind, addressOf }) => ({
      kind,
      address: addressOf(user),
      factor: factors.find((factor) => factor.kind === kind),
    })),
    passkeys,
    permitted: secondFactors,
    recoveryCodesLeft: codes.length,
  };
}

/** Returns the sessions of the user, including this browser's. */
export function listOwnSessions(ctx: Context, { user }: AccountOwner): Promise<PersonSessionRow[]> {
  const now = ctx.clock();
  return listSessionsOfUser(ctx.db, user.id, now, now - ctx.config.lifetimes.sessionIdle);
}

export interface OwnLink extends ShownLink {
  /** The names of the apps that get the provider's tokens. */
  tokenApps: readonly string[];
}

/** Returns the accounts at identity providers by which the user signs in. */
export async function listOwnLinks(ctx: Context, { user }: AccountOwner): Promise<OwnLink[]> {
  const [links, providers] = await Promise.all([
    listIdentityLinks(ctx.db, user.id),
    listUsableProviders(ctx, user.organizationId),
  ]);
  const clientsOf = (link: ShownLink) =>
    providers.find(({ id, isActive }) => isActive && id === link.providerId)?.options.tokenClientIds ?? [];
  const names = new Map(await listAppNames(ctx.db, links.flatMap(clientsOf)));
  return links.map((link) => ({ ...link, tokenApps: clientsOf(link).flatMap((id) => names.get(id) ?? []) }));
}

export type AccountChange =
  | { what: "remove-factor"; id: string }
  | { what: "enable-codes"; kind: SentKind }
  | { what: "remove-passkey"; id: string }
  | { what: "rename-passkey"; id: string; name: string }
  /** The id is that of the provider and the one of the account there, with a slash between. */
  | { what: "remove-link"; id: string }
  | { what: "new-codes" }
  | { what: "end-session"; id: string }
  | { what: "end-others" }
  /** The id is a client id. */
  | { what: "disconnect-app"; id: string }
  | { what: "stop-agent"; id: string };

/**
 * Makes one change. Objects that are already gone, or belong to another user, are ignored.
 * @returns new recovery codes, if the change created some; "last-way" if the user could not sign in any more
 */
export async function changeAccount(
  ctx: Context,
  owner: FreshOwner,
  change: AccountChange,
  cause: Cause,
): Promise<string[] | undefined | "last-way"> {
  const { user } = owner;
  const origin = { actor: user.id, ...cause };
  switch (change.what) {
    case "remove-factor":
      await removeFactor({ ...ctx, origin }, user, change.id);
      break;
    case "enable-codes":
      await setUpSentCodes(ctx, user, change.kind, cause);
      break;
    case "remove-passkey":
      await removePasskey({ ...ctx, origin }, user, change.id);
      break;
    case "rename-passkey": {
      const name = factorName(change.name);
      if (name !== "") await renamePasskey({ ...ctx, origin }, user, { id: change.id, name });
      break;
    }
    case "remove-link": {
      const [providerId = "", ...rest] = change.id.split("/");
      const ref = { userId: user.id, organizationId: user.organizationId };
      const link = { providerId, externalId: rest.join("/") };
      const removed = await revokingProviderTokens(ctx, link, () =>
        removeOwnIdentityLink({ ...ctx, origin }, ref, link),
      );
      if (isApiError(removed) && removed.id === "identity_link.last_way") return "last-way";
      break;
    }
    case "new-codes":
      if (!(await hasFactor(ctx, user))) break;
      return inTransaction({ ...ctx, origin }, (ctx) => createRecoveryCodes(ctx, user));
    case "end-session":
      await endElsewhere(ctx, owner, change.id, cause);
      break;
    case "end-others":
      await endElsewhere(ctx, owner, undefined, cause);
      // Includes grants of sessions that have ended before, and of devices, also those approved in this browser.
      for (const grant of await listOfflineGrantsElsewhere(ctx.db, user.id, owner.session.id)) {
        await revokeGrant({ ...ctx, origin }, grant, "signed out everywhere else");
      }
      break;
    case "disconnect-app":
      await disconnectApp(ctx, user, change.id, cause);
      break;
    case "stop-agent":
      await endAgent(ctx, user, change.id, cause);
  }
  return undefined;
}

async function hasFactor(ctx: Context, { id }: SignInUser): Promise<boolean> {
  const [factors, passkeys] = await Promise.all([listFactors(ctx.db, id), listPasskeys(ctx.db, id)]);
  return factors.length + passkeys.length > 0;
}

/**
 * Ends sessions with all their grants, including offline access, because the device may be stolen (rule SIGNOUT-4).
 * @param only the session to end; if undefined, all but the current one
 */
async function endElsewhere(ctx: Context, owner: AccountOwner, only: string | undefined, cause: Cause): Promise<void> {
  const sessions = await listOwnSessions(ctx, owner);
  const others = sessions.filter(({ id }) => id !== owner.session.id && (only === undefined || id === only));
  await endSessions(ctx, others, cause, "all");
}
