/**
 * Changes of the login policy that would keep users from signing in. Without passwords, users without a passkey are
 * locked out. Callers must not lock out themselves or users with more permissions than their own, and no caller,
 * whether a user or a machine, may lock out the last owner (attack: a settings manager that gets rid of the owners).
 */
import type { Context } from "../../context";
import { type ApiError, failedPrecondition } from "../../protocol/api-error";
import { listPasskeys } from "../../storage/factor/passkeys";
import { listManagersWithoutPasskey, listOwnersIn } from "../../storage/member/membership";
import { findPerson } from "../../storage/user/sign-in-names";
import { findInstance } from "../instance";
import { checkPrivilegesOver } from "../member/privileges";
import { type PolicySettings, readPolicyLevels } from "./policies";
import { resolvePolicy } from "./resolve-policy";

export interface LoginPolicyChange {
  callerId: string;
  /** Undefined for the instance. */
  organizationId: string | undefined;
  /** The level's new settings; undefined if it inherits. */
  settings: Partial<PolicySettings<"login">> | undefined;
}

/** Returns an error if the change would lock out a user whom the caller must not lock out. */
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

/** Returns an error if the organization has owners of itself or the instance, and none of them could still sign in. */
async function checkOwners(ctx: Context, organizationId: string | undefined) {
  const owners = await listOwnersIn(ctx.db, (await findInstance(ctx)).id, organizationId);
  if (owners.length === 0 || owners.some(({ hasPasskey }) => hasPasskey)) return undefined;
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
