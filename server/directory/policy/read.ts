/** Policies for administrators: the effective settings, since when they apply, and whether they are inherited. */
import type { Context } from "../../context";
import type { Details } from "../../events/record";
import { findDetails } from "../../events/record";
import { findInstance } from "../instance";
import { aggregateIdOf, type PolicyKind, type PolicySettings, readPolicyLevels } from "./policies";
import { resolvePolicy } from "./resolve-policy";

export interface ShownPolicy<Kind extends PolicyKind> {
  settings: PolicySettings<Kind>;
  /** Whether the organization inherits all of it. */
  isDefault: boolean;
  /** The names of the settings that this level sets itself. */
  own: string[];
  details: Details;
}

/**
 * Reads a policy from the database.
 * @param organizationId undefined for the policy of the instance
 */
export async function readShownPolicy<Kind extends PolicyKind>(
  ctx: Context,
  kind: Kind,
  organizationId: string | undefined,
): Promise<ShownPolicy<Kind>> {
  const { instance, organization } = await readPolicyLevels(ctx, kind, organizationId);
  const isDefault = organization === undefined;
  return {
    settings: resolvePolicy(kind, [instance, organization]),
    isDefault,
    own: Object.keys((organizationId === undefined ? instance : organization) ?? {}),
    details: await policyDetails(ctx, kind, isDefault ? undefined : organizationId),
  };
}

/**
 * Returns the details of a policy; one that was never set has the dates of the instance.
 * @param organizationId undefined for the policy of the instance
 */
export async function policyDetails(
  ctx: Context,
  kind: PolicyKind,
  organizationId: string | undefined,
): Promise<Details> {
  const { id } = await findInstance(ctx);
  return (await findDetails(ctx, "policy", aggregateIdOf(organizationId ?? id, kind))) ?? unsetDetails(ctx);
}

/** Returns the details of something that was never set: the dates of the instance. */
export async function unsetDetails(ctx: Context): Promise<Details> {
  const { id, createdAt } = await findInstance(ctx);
  const at = new Date(createdAt).toISOString();
  return { sequence: "0", creationDate: at, changeDate: at, resourceOwner: id };
}
