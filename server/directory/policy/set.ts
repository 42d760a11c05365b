/**
 * Sets policies: the instance's, and an organization's own, which is added, changed, and reset to the inherited one.
 * Each change reads and writes in one transaction, so that one of two concurrent additions is rejected.
 */
import type { ChangeContext, Details, OriginContext } from "../../events/record";
import { type ApiError, alreadyExists, notFound } from "../../protocol/api-error";
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
 * The caller must not lock out themselves or users with more permissions
 */
export async function setInstancePolicy<Kind extends PolicyKind>(
  ctx: OriginContext,
  { kind, settings }: PolicyChange<Kind>,
): Promise<Details | ApiError> {
  const refusal = await refuseLockingOut(ctx, { kind, organizationId: undefined, settings });
  if (refusal) return refusal;
  const { id } = await findInstance(ctx);
  return changeDirectory(ctx, (ctx) => setPolicy(ctx, id, kind, settings));
}

type OwnChange<Kind extends PolicyKind> = PolicyChange<Kind> & { organizationId: string };

/** Adds a policy to an organization that has none of its own. The caller is checked as by `setInstancePolicy`. */
export const addOwnPolicy = <Kind extends PolicyKind>(ctx: OriginContext, change: OwnChange<Kind>) =>
  changeOwn(ctx, change, (ctx, isSet) => (isSet ? alreadySet() : setOwn(ctx, change)));

/** Changes an organization's own policy. The caller is checked as by `setInstancePolicy`. */
export const changeOwnPolicy = <Kind extends PolicyKind>(ctx: OriginContext, change: OwnChange<Kind>) =>
  changeOwn(ctx, change, (ctx, isSet) => (isSet ? setOwn(ctx, change) : notSet()));

const setOwn = <Kind extends PolicyKind>(ctx: ChangeContext, { kind, organizationId, settings }: OwnChange<Kind>) =>
  setPolicy(ctx, organizationId, kind, settings);

/** Removes an organization's own policy, so that it inherits. The caller is checked as by `setInstancePolicy`. */
export function resetOwnPolicy(
  ctx: OriginContext,
  { kind, organizationId }: { kind: PolicyKind; organizationId: string },
): Promise<Details | ApiError> {
  return changeOwn(ctx, { kind, organizationId, settings: undefined }, (ctx, isSet) =>
    isSet ? removePolicy(ctx, organizationId, kind) : notSet(),
  );
}

interface LevelChange {
  kind: PolicyKind;
  /** Undefined for the instance. */
  organizationId: string | undefined;
  /** Undefined to remove the level's settings. */
  settings: Partial<PolicySettings<PolicyKind>> | undefined;
}

/** @param work its `isSet`: whether the organization has its own policy */
async function changeOwn(
  ctx: OriginContext,
  change: LevelChange & { organizationId: string },
  work: (ctx: ChangeContext, isSet: boolean) => Promise<Details> | ApiError,
): Promise<Details | ApiError> {
  const refusal = await refuseLockingOut(ctx, change);
  if (refusal) return refusal;
  return changeDirectory(ctx, async (ctx): Promise<Details | ApiError> => {
    const isSet = (await readPolicy(ctx.tx, change.organizationId, change.kind)) !== undefined;
    return work(ctx, isSet);
  });
}

/** Rejects changes that lock users out; only the login policy determines how users sign in. */
async function refuseLockingOut(ctx: OriginContext, { kind, organizationId, settings }: LevelChange) {
  if (kind !== "login") return undefined;
  const wanted = settings as Partial<PolicySettings<"login">> | undefined;
  return checkLockingOut(ctx, { callerId: ctx.origin.actor, organizationId, settings: wanted });
}

export const alreadySet = (): ApiError =>
  alreadyExists("policy.already_exists", "The organization has set this already. Change it with PUT.");
export const notSet = (): ApiError =>
  notFound("policy.not_found", "The organization has not set this, so it inherits the policy. Set it with POST.");
