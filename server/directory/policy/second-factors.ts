/**
 * The second factors that users may set up. Permitting or withdrawing one changes only that setting of the login policy
 * at the level; its other settings are kept.
 */
import type { Context } from "../../context";
import type { Details, OriginContext } from "../../events/record";
import { type ApiError, alreadyExists, notFound } from "../../protocol/api-error";
import { type FactorWay, isPermittedWay, type SecondFactorType } from "../../protocol/second-factor";
import { readPoliciesOf, readPolicy } from "../../storage/policy/policy";
import { changeDirectory } from "../change";
import { findInstance } from "../instance";
import { findPolicy, setPolicy } from "./policies";
import { resolvePolicy } from "./resolve-policy";

/** Returns whether users of the organization may set up this factor. */
export async function isPermittedIn(ctx: Context, organizationId: string, way: FactorWay): Promise<boolean> {
  return isPermittedWay((await findPolicy(ctx, "login", organizationId)).secondFactors, way);
}

export interface FactorChange {
  /** Undefined for the instance. */
  organizationId: string | undefined;
  type: SecondFactorType;
}

/**
 * Permits a second factor.
 * @returns an error if it is permitted already
 */
export function permitSecondFactor(ctx: OriginContext, change: FactorChange): Promise<Details | ApiError> {
  return changePermitted(ctx, change, (permitted, type) =>
    permitted.includes(type)
      ? alreadyExists("policy.factor_permitted", "This second factor is allowed already.")
      : [...permitted, type],
  );
}

/**
 * Withdraws a second factor. Users who have set it up are still asked for it until they have another one
 * (login/factors).
 * @returns an error if it is not permitted
 */
export function withdrawSecondFactor(ctx: OriginContext, change: FactorChange): Promise<Details | ApiError> {
  return changePermitted(ctx, change, (permitted, type) =>
    permitted.includes(type)
      ? permitted.filter((one) => one !== type)
      : notFound("policy.factor_not_permitted", "This second factor is not allowed here."),
  );
}

async function changePermitted(
  ctx: OriginContext,
  { organizationId, type }: FactorChange,
  next: (permitted: readonly SecondFactorType[], type: SecondFactorType) => SecondFactorType[] | ApiError,
): Promise<Details | ApiError> {
  const ownerId = organizationId ?? (await findInstance(ctx)).id;
  return changeDirectory(ctx, async (ctx) => {
    const own = await readPolicy(ctx.tx, ownerId, "login");
    const levels = organizationId === undefined ? [own] : await readPoliciesOf(ctx.tx, organizationId, "login");
    const wanted = next(resolvePolicy("login", levels).secondFactors, type);
    if (!Array.isArray(wanted)) return wanted;
    return setPolicy(ctx, ownerId, "login", { ...own, secondFactors: wanted });
  });
}
