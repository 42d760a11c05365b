/** Sets the default language, for people who prefer none. */
import { changeDirectory } from "../directory/change";
import { changeInstance } from "../directory/instance";
import { isBuiltIn, languageNotSupported, languagesOf, supportedLanguage } from "../directory/policy/languages";
import { readLanguageRules } from "../directory/policy/restrictions";
import type { OriginContext } from "../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../protocol/api-error";
import { lockInstanceRow } from "../storage/instance/instance";

/**
 * Sets the default language, which must be one of the languages allowed at the moment of the change (see
 * directory/policy/restrictions).
 * @param tag BCP 47, as the caller wrote it
 * @returns the id of the instance, which the setting belongs to
 */
export async function setDefaultLanguage(ctx: OriginContext, tag: string): Promise<{ instanceId: string } | ApiError> {
  const defaultLanguage = await supportedLanguage(ctx, tag);
  if (isApiError(defaultLanguage)) return defaultLanguage;
  const languages = await languagesOf(ctx);
  return changeDirectory(ctx, async (ctx) => {
    const instance = await lockInstanceRow(ctx.db, ctx.tx);
    if (!instance) throw new Error("the database has no instance yet");
    const { allowedLanguages, addedLanguages } = await readLanguageRules(ctx.tx, instance.id);
    // The language may have been removed since.
    if (!isBuiltIn(defaultLanguage) && !addedLanguages.some((added) => added.tag === defaultLanguage)) {
      return languageNotSupported(languages.filter((language) => language !== defaultLanguage));
    }
    if (allowedLanguages.length > 0 && !allowedLanguages.includes(defaultLanguage)) {
      const reason = "The language is not allowed here; see /admin/v1/restrictions.";
      return failedPrecondition("language.not_allowed", reason, { field: "language" });
    }
    await changeInstance(ctx, instance, { defaultLanguage });
    return { instanceId: instance.id };
  });
}
