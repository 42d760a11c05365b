/** Policies as administrators see them: what is in force, since when, and whether it is inherited. */
import type { Context } from "../../context";
import { findDetails } from "../../events/details";
import type { Details } from "../../events/record";
import { findInstance } from "../instance";
import { aggregateIdOf, type PolicyKind, type PolicySettings, readPolicyLevels } from "./policies";
import { resolvePolicy } from "./settings";

export interface ShownPolicy<Kind extends PolicyKind> {
  settings: PolicySettings<Kind>;
  /** Whether the organization inherits all of it. */
  isDefault: boolean;
  /** The settings that this level says itself. */
  own: string[];
  details: Details;
}

/** Straight from the database. @param organizationId undefined: the policy of the instance */
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
 * A policy that was never set gets the dates of the instance.
 * @param organizationId undefined: the policy of the instance
 */
export async function policyDetails(
  ctx: Context,
  kind: PolicyKind,
  organizationId: string | undefined,
): Promise<Details> {
  const { id } = await findInstance(ctx);
  return (await findDetails(ctx, "policy", aggregateIdOf(organizationId ?? id, kind))) ?? unsetDetails(ctx);
}

/** Those of what nobody has set: the dates of the instance. */
export async function unsetDetails(ctx: Context): Promise<Details> {
  const { id, createdAt } = await findInstance(ctx);
  const at = new Date(createdAt).toISOString();
  return { sequence: "0", creationDate: at, changeDate: at, resourceOwner: id };
}
