/**
 * Setting policies: the instance's, and an organization's own, which is added, changed, and reset to the inherited one.
 * Read and written in one transaction, so that of two concurrent additions one is refused.
 */
import type { Context } from "../../context";
import type { Details, Origin } from "../../events/record";
import { type ApiError, alreadyExists, notFound } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { readPolicy } from "../../storage/policies";
import { changeDirectory } from "../change";
import { findInstance } from "../instance";
import { type PolicyKind, type PolicySettings, removePolicy, setPolicy } from "./policies";
import { checkLockingOut } from "./shutting-out";

/** A policy that the caller of the management API may set; branding is set as a draft first (brand/draft). */
export interface PolicyChange<Kind extends PolicyKind = PolicyKind> {
  kind: Kind;
  /** What the level will say; what is left out is inherited. */
  settings: Partial<PolicySettings<Kind>>;
}

/** @param origin.actor who changes it, and must not shut themselves out, nor people with more power than theirs */
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

/** For an organization that has none of its own; about `origin.actor` as above. */
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

/** For an organization that has set it; about `origin.actor` as above. */
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

/** Lets the organization inherit again; about `origin.actor` as above. */
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
  /** Undefined: the instance. */
  organizationId: string | undefined;
  /** Undefined: the level says nothing any more. */
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

/** Only the login policy says how people sign in. */
async function refuseLockingOut(ctx: Context, { kind, organizationId, settings }: LevelChange, { actor }: Origin) {
  if (kind !== "login") return undefined;
  const wanted = settings as Partial<PolicySettings<"login">> | undefined;
  return checkLockingOut(ctx, { callerId: actor, organizationId, settings: wanted });
}

export const alreadySet = (): ApiError =>
  alreadyExists("policy.already_exists", "The organization has set this already. Change it with PUT.");
export const notSet = (): ApiError =>
  notFound("policy.not_found", "The organization has not set this, so it inherits the policy. Set it with POST.");
