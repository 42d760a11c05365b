/**
 * Sets policies: the instance's, and an organization's own, which is added, changed, and reset to the inherited one.
 * Each change reads and writes in one transaction, so that one of two concurrent additions is rejected.
 */
import type { Context } from "../../context";
import type { Details, Origin } from "../../events/record";
import { type ApiError, alreadyExists, notFound } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { readPolicy } from "../../storage/policy/policy";
import { changeDirectory } from "../change";
import { findInstance } from "../instance";
import { type PolicyKind, type PolicySettings, removePolicy, setPolicy } from "./policies";
import { checkLockingOut } from "./shutting-out";

/** A policy that the caller of the management API may set; branding is set as a draft first (branding/draft). */
export interface PolicyChange<Kind extends PolicyKind = PolicyKind> {
  kind: Kind;
  /** The level's new settings; omitted ones are inherited. */
  settings: Partial<PolicySettings<Kind>>;
}

/**
 * Sets a policy of the instance.
 * @param origin.actor the caller, who must not lock out themselves or users with more permissions
 */
export async function setInstancePolicy<Kind extends PolicyKind>(
  ctx: Context,
  { kind, settings }: PolicyChange<Kind>,
  origin: Origin,
): Promise<Details | ApiError> {
  const refusal = await refuseLockingOut(ctx, { kind, organizationId: undefined, settings }, origin);
  if (refusal) return refusal;
  const { id } = await findInstance(ctx);
  return changeDirectory(ctx, (tx) => setPolicy(ctx, tx, id, kind, settings, origin));
}

/**
 * Adds a policy to an organization that has none of its own. The rule for `origin.actor` is that of
 * `setInstancePolicy`.
 */
export function addOwnPolicy<Kind extends PolicyKind>(
  ctx: Context,
  change: PolicyChange<Kind> & { organizationId: string },
  origin: Origin,
): Promise<Details | ApiError> {
  const { kind, organizationId, settings } = change;
  return changeOwn(ctx, change, origin, async (tx) => {
    if (await readPolicy(tx, organizationId, kind)) return alreadySet();
    return setPolicy(ctx, tx, organizationId, kind, settings, origin);
  });
}

/** Changes an organization's own policy. The rule for `origin.actor` is that of `setInstancePolicy`. */
export function changeOwnPolicy<Kind extends PolicyKind>(
  ctx: Context,
  change: PolicyChange<Kind> & { organizationId: string },
  origin: Origin,
): Promise<Details | ApiError> {
  const { kind, organizationId, settings } = change;
  return changeOwn(ctx, change, origin, async (tx) => {
    if (!(await readPolicy(tx, organizationId, kind))) return notSet();
    return setPolicy(ctx, tx, organizationId, kind, settings, origin);
  });
}

/**
 * Removes an organization's own policy, so that it inherits. The rule for `origin.actor` is that of
 * `setInstancePolicy`.
 */
export function resetOwnPolicy(
  ctx: Context,
  { kind, organizationId }: { kind: PolicyKind; organizationId: string },
  origin: Origin,
): Promise<Details | ApiError> {
  return changeOwn(ctx, { kind, organizationId, settings: undefined }, origin, async (tx) => {
    if (!(await readPolicy(tx, organizationId, kind))) return notSet();
    return removePolicy(ctx, tx, organizationId, kind, origin);
  });
}

interface LevelChange {
  kind: PolicyKind;
  /** Undefined for the instance. */
  organizationId: string | undefined;
  /** Undefined to remove the level's settings. */
  settings: Partial<PolicySettings<PolicyKind>> | undefined;
}

async function changeOwn(
  ctx: Context,
  change: LevelChange,
  origin: Origin,
  work: (tx: Transaction) => Promise<Details | ApiError>,
): Promise<Details | ApiError> {
  return (await refuseLockingOut(ctx, change, origin)) ?? changeDirectory(ctx, work);
}

/** Rejects changes that lock users out; only the login policy determines how users sign in. */
async function refuseLockingOut(ctx: Context, { kind, organizationId, settings }: LevelChange, { actor }: Origin) {
  if (kind !== "login") return undefined;
  const wanted = settings as Partial<PolicySettings<"login">> | undefined;
  return checkLockingOut(ctx, { callerId: actor, organizationId, settings: wanted });
}

export const alreadySet = (): ApiError =>
  alreadyExists("policy.already_exists", "The organization has set this already. Change it with PUT.");
export const notSet = (): ApiError =>
  notFound("policy.not_found", "The organization has not set this, so it inherits the policy. Set it with POST.");
