/**
 * Changes of the login policy that would keep people from signing in. Without passwords only passkeys can be used, so
 * whoever has none is shut out: callers must not do that to themselves, nor anybody, person or program, to the last
 * owner, nor to people with more power than their own (attack: a settings manager that gets rid of the owners).
 */
import type { Context } from "../../context";
import { type ApiError, failedPrecondition } from "../../protocol/api-error";
import { listManagersWithoutPasskey, listOwnersIn } from "../../storage/memberships";
import { listPasskeys } from "../../storage/passkeys";
import { findPerson } from "../../storage/sign-in-names";
import { findInstance } from "../instance";
import { checkPrivilegesOver } from "../member/privileges";
import { type PolicySettings, readPolicyLevels } from "./policies";
import { resolvePolicy } from "./settings";

export interface LoginPolicyChange {
  callerId: string;
  /** Undefined: the instance. */
  organizationId: string | undefined;
  /** What the level will say; undefined: nothing, so that it inherits. */
  settings: Partial<PolicySettings<"login">> | undefined;
}

/** Why the caller must not make the change; undefined if nobody is shut out who must not be. */
export async function checkLockingOut(ctx: Context, change: LoginPolicyChange): Promise<ApiError | undefined> {
  const { callerId, organizationId, settings } = change;
  const levels = await readPolicyLevels(ctx, "login", organizationId);
  const next = organizationId === undefined ? [settings] : [levels.instance, settings];
  const now = organizationId === undefined ? [levels.instance] : [levels.instance, levels.organization];
  const takesPasswordsAway =
    resolvePolicy("login", now).allowUsernamePassword && !resolvePolicy("login", next).allowUsernamePassword;
  if (!takesPasswordsAway) return undefined;
  return (
    (await checkOwnWay(ctx, callerId, organizationId)) ??
    (await checkOwners(ctx, organizationId)) ??
    (await checkManagers(ctx, callerId, organizationId))
  );
}

async function checkOwnWay(ctx: Context, callerId: string, organizationId: string | undefined) {
  const person = await findPerson(ctx.db, callerId);
  const isMeant = person && (organizationId === undefined || person.organizationId === organizationId);
  if (!isMeant || (await listPasskeys(ctx.db, callerId)).length > 0) return undefined;
  const reason = "You have no passkey, so you could not sign in any more. Add one to your account first.";
  return failedPrecondition("policy.would_lock_out", reason, PASSWORDS);
}

/** If people of the organization own it or the instance, one of them must be able to go on. */
async function checkOwners(ctx: Context, organizationId: string | undefined) {
  const owners = await listOwnersIn(ctx.db, (await findInstance(ctx)).id, organizationId);
  if (owners.length === 0 || owners.some(({ hasPasskey }) => hasPasskey === 1)) return undefined;
  const reason = "No owner has a passkey, so none of them could sign in any more. One of them must add one first.";
  return failedPrecondition("policy.would_lock_out_owners", reason, PASSWORDS);
}

async function checkManagers(ctx: Context, callerId: string, organizationId: string | undefined) {
  for (const userId of await listManagersWithoutPasskey(ctx.db, organizationId)) {
    const refusal = await checkPrivilegesOver(ctx, callerId, userId);
    if (refusal) return refusal;
  }
  return undefined;
}

const PASSWORDS = { field: "allowUsernamePassword" };
