/** Setting the default language, for people who prefer none. */
import type { Context } from "../context";
import { changeDirectory } from "../directory/change";
import { changeInstance } from "../directory/instance";
import { readAllowedLanguages } from "../directory/policy/restrictions";
import type { Origin } from "../events/record";
import { type ApiError, failedPrecondition } from "../protocol/api-error";
import { lockInstanceRow } from "../storage/instance";
import { languageNotSupported, parseLanguage } from "./languages";

/**
 * The language must be one of those that are allowed at the moment of the change (see directory/policy/restrictions).
 * @param tag BCP 47, as the caller wrote it
 * @returns the id of the instance, whose setting it is
 */
export async function setDefaultLanguage(
  ctx: Context,
  tag: string,
  origin: Origin,
): Promise<{ instanceId: string } | ApiError> {
  const defaultLanguage = parseLanguage(tag);
  if (!defaultLanguage) return languageNotSupported();
  return changeDirectory(ctx, async (tx) => {
    const instance = await lockInstanceRow(ctx.db, tx);
    if (!instance) throw new Error("the database has no instance yet");
    const allowed = await readAllowedLanguages(tx, instance.id);
    if (allowed.length > 0 && !allowed.includes(defaultLanguage)) {
      const reason = "The language is not allowed here; see /admin/v1/restrictions.";
      return failedPrecondition("language.not_allowed", reason, { field: "language" });
    }
    await changeInstance(ctx, tx, instance, { defaultLanguage }, origin);
    return { instanceId: instance.id };
  });
}
