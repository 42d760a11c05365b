/**
 * The page texts in the format of version 2 of the API (rule API-10): the texts of pages/level-page-texts.ts, addressed
 * by level and locale.
 */

import type { Caller } from "../../access/caller";
import { checkPermission } from "../../access/permissions";
import type { Context } from "../../context";
import { fingerprint } from "../../crypto/digest";
import type { OriginContext } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { readCustomLoginText, readDefaultLoginText } from "../pages/level-page-texts";
import { flatPageTexts, type GroupedPageTexts, groupedPageTexts } from "../pages/page-texts";
import { type SetLoginText, setLoginText } from "./set-login-text";

export interface Translation {
  /** Changes with every text. */
  etag: string;
  translations: GroupedPageTexts;
}

export interface TranslationWanted {
  /** `built_in`: the service's own texts. */
  level: "organization" | "instance" | "built_in";
  organizationId: string;
  /** The value from the request, not validated. */
  locale: string;
  /** Excludes inherited texts. */
  isOwnOnly: boolean;
}

/** Returns the texts in force at a level, or only the level's own. */
export async function readTranslation(ctx: Context, wanted: TranslationWanted): Promise<Translation | ApiError> {
  const { level, locale: language, isOwnOnly } = wanted;
  const organizationId = level === "organization" ? wanted.organizationId : undefined;
  const inherited = await readDefaultLoginText(ctx, { organizationId, language });
  if (isApiError(inherited)) return inherited;
  if (level === "built_in") return taggedTexts(inherited.words);
  const own = await readCustomLoginText(ctx, { organizationId, language });
  if (isApiError(own)) return own;
  if (isOwnOnly) return taggedTexts(own.ownWords);
  return taggedTexts(groupedPageTexts({ ...flatPageTexts(inherited.words), ...flatPageTexts(own.ownWords) }));
}

export interface TranslationSet {
  instance?: boolean;
  /** Undefined: the organization that the call acts on. */
  organizationId?: string;
  locale: string;
  translations: SetLoginText["words"];
}

/**
 * Replaces the texts of the level named in the body, if the caller may change them there.
 * @param caller may change those of the organization `actedOn`
 */
export async function setTranslation(
  ctx: OriginContext,
  { caller, organizationId: actedOn }: { caller: Caller; organizationId: string },
  { instance, organizationId = actedOn, locale: language, translations: words }: TranslationSet,
): Promise<{ etag: string; draft?: { id: string } } | ApiError> {
  const refusal = instance
    ? await checkPermission(ctx, caller, "iam.policy.write")
    : await checkPermission(ctx, caller, "text.propose", { organizationId });
  if (refusal) return refusal;
  const target = { organizationId: instance ? undefined : organizationId, language };
  const outcome = await setLoginText(ctx, { ...target, words });
  if (isApiError(outcome)) return outcome;
  const stored = await readCustomLoginText(ctx, target);
  if (isApiError(stored)) return stored;
  const { draft } = outcome;
  return { etag: taggedTexts(stored.ownWords).etag, ...(draft && { draft }) };
}

const taggedTexts = (translations: GroupedPageTexts): Translation => ({
  etag: fingerprint(JSON.stringify(translations)),
  translations,
});
