/** Restrictions of the instance: which of its languages may be chosen, and which languages it has added. */
import type { Context } from "../../context";
import type { Details, OriginContext } from "../../events/record";
import { type ApiError, failedPrecondition } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { lockInstanceRow } from "../../storage/instance/instance";
import { readPolicy } from "../../storage/policy/policy";
import { changeDirectory } from "../change";
import { type PolicySettings, readPolicyLevels, setPolicy } from "./policies";
import { resolvePolicy } from "./resolve-policy";

export type Restrictions = PolicySettings<"restrictions">;

/** Reads the restrictions from the database. */
export async function readRestrictions(ctx: Context): Promise<Restrictions> {
  const { instance } = await readPolicyLevels(ctx, "restrictions", undefined);
  return resolvePolicy("restrictions", [instance]);
}

/** Changes the given restrictions; the others are kept. The default language must be among the allowed ones. */
export async function changeRestrictions(
  ctx: OriginContext,
  wanted: Partial<Restrictions>,
): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (ctx) => {
    // Locked, so that the default language does not change meanwhile.
    const instance = await lockInstanceRow(ctx.db, ctx.tx);
    if (!instance) throw new Error("the database has no instance yet");
    const { id, defaultLanguage } = instance;
    const { allowedLanguages = [] } = wanted;
    if (allowedLanguages.length > 0 && !allowedLanguages.includes(defaultLanguage)) {
      const reason = `The default language (${defaultLanguage}) must be allowed.`;
      return failedPrecondition("language.default_not_allowed", reason, { field: "allowedLanguages.list" });
    }
    const stored = (await readPolicy(ctx.tx, id, "restrictions")) ?? {};
    return setPolicy(ctx, id, "restrictions", { ...stored, ...wanted });
  });
}

/**
 * Reads the restrictions in the transaction of a change that depends on them. If no languages are listed as allowed,
 * all are.
 */
export async function readLanguageRules(tx: Transaction, instanceId: string): Promise<Restrictions> {
  return resolvePolicy("restrictions", [await readPolicy(tx, instanceId, "restrictions")]);
}
