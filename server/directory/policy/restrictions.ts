/** Restrictions of the instance: which of the supported languages may be chosen. */
import type { Context } from "../../context";
import type { Details, Origin } from "../../events/record";
import { readPolicy } from "../../storage/policies";
import { changeDirectory } from "../change";
import { findInstance } from "../instance";
import { findPolicy, type PolicySettings, readPolicyLevels, setPolicy } from "./policies";
import { resolvePolicy } from "./settings";

export type Restrictions = PolicySettings<"restrictions">;

/** Straight from the database. */
export async function readRestrictions(ctx: Context): Promise<Restrictions> {
  const { instance } = await readPolicyLevels(ctx, "restrictions", undefined);
  return resolvePolicy("restrictions", [instance]);
}

/** Changes the given ones; the others stay. */
export async function changeRestrictions(
  ctx: Context,
  wanted: Partial<Restrictions>,
  origin: Origin,
): Promise<Details> {
  const { id } = await findInstance(ctx);
  return changeDirectory(ctx, async (tx) => {
    const stored = (await readPolicy(tx, id, "restrictions")) ?? {};
    return setPolicy(ctx, tx, id, "restrictions", { ...stored, ...wanted }, origin);
  });
}

/**
 * The languages that may be chosen, in the given order; at most five seconds old.
 * @param languages all supported ones
 */
export async function allowedAmong<Tag extends string>(
  ctx: Context,
  languages: readonly Tag[],
): Promise<readonly Tag[]> {
  const { allowedLanguages } = await findPolicy(ctx, "restrictions", undefined);
  return allowedLanguages.length === 0 ? languages : languages.filter((tag) => allowedLanguages.includes(tag));
}
