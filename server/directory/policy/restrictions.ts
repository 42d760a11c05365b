/** Restrictions of the instance: which of the supported languages may be chosen. */
import type { Context } from "../../context";
import type { Details, Origin } from "../../events/record";
import { type ApiError, failedPrecondition } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { lockInstanceRow } from "../../storage/instance";
import { readPolicy } from "../../storage/policies";
import { changeDirectory } from "../change";
import { findPolicy, type PolicySettings, readPolicyLevels, setPolicy } from "./policies";
import { resolvePolicy } from "./settings";

export type Restrictions = PolicySettings<"restrictions">;

/** Straight from the database. */
export async function readRestrictions(ctx: Context): Promise<Restrictions> {
  const { instance } = await readPolicyLevels(ctx, "restrictions", undefined);
  return resolvePolicy("restrictions", [instance]);
}

/** Changes the given ones; the others stay. The default language must be among the allowed ones. */
export async function changeRestrictions(
  ctx: Context,
  wanted: Partial<Restrictions>,
  origin: Origin,
): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (tx) => {
    // Locked, as the default language must not become another meanwhile.
    const instance = await lockInstanceRow(ctx.db, tx);
    if (!instance) throw new Error("the database has no instance yet");
    const { id, defaultLanguage } = instance;
    const { allowedLanguages = [] } = wanted;
    if (allowedLanguages.length > 0 && !allowedLanguages.includes(defaultLanguage)) {
      const reason = `The default language (${defaultLanguage}) must be allowed.`;
      return failedPrecondition("language.default_not_allowed", reason, { field: "allowedLanguages.list" });
    }
    const stored = (await readPolicy(tx, id, "restrictions")) ?? {};
    return setPolicy(ctx, tx, id, "restrictions", { ...stored, ...wanted }, origin);
  });
}

/** The same for a change that depends on them; empty: all there are. */
export async function readAllowedLanguages(tx: Transaction, instanceId: string): Promise<readonly string[]> {
  return resolvePolicy("restrictions", [await readPolicy(tx, instanceId, "restrictions")]).allowedLanguages;
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
