/**
 * Resolves the text in force, field by field: the organization's, else the instance's, else the built-in one of the
 * language, or of its base if the language was added. Sending, previews and the API all use this, so that
 * administrators see what users get. Rule TEXT-1.
 */
import type { Context } from "../context";
import { defaultLanguages } from "../directory/default-languages";
import { allowedLanguages, baseOf, isBuiltIn, type Language, languagesOf } from "../directory/policy/languages";
import { negotiateLocale } from "../protocol/ui-locales";
import { listMessageTexts, type MessageTextLevel } from "../storage/text/message-texts";
import { builtInText } from "./built-in";
import { MESSAGE_FIELDS, type MessageField } from "./message-text";
import { type MessageTextWanted, usableTexts } from "./usable";

/** The level that a field comes from. */
export type TextLayer = MessageTextLevel | "built_in";

export interface ResolvedField {
  text: string;
  layer: TextLayer;
}

export type ResolvedText = Readonly<Record<MessageField, ResolvedField>>;

/**
 * Reads the text in force with one query. It is not cached: after a change was acknowledged, the next mail must not
 * have the old text, and a process cannot know at once what another has changed.
 */
export async function readResolvedText(ctx: Context, wanted: MessageTextWanted): Promise<ResolvedText> {
  const { type, language, organizationId } = wanted;
  const stored = await listMessageTexts(ctx.db, { type, language, organizationId: organizationId ?? null });
  const levels = await usableTexts(ctx, wanted, stored);
  const builtIn = builtInText(type, isBuiltIn(language) ? language : await baseOf(ctx, language));
  const resolve = (field: MessageField): ResolvedField => {
    for (const layer of ["organization", "instance"] as const) {
      const text = levels[layer]?.[field];
      if (text) return { text, layer };
    }
    return { text: builtIn[field], layer: "built_in" };
  };
  return Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, resolve(field)])) as Record<
    MessageField,
    ResolvedField
  >;
}

export interface ResolvedLanguage {
  language: Language;
  /** The owner of the setting that decided. */
  from: "user" | "organization" | "instance" | "service";
  /** `base`: the setting was a regional form, for instance de-CH. */
  match: "exact" | "base" | "default";
}

/** English, the source language of every text. */
const LAST_RESORT: ResolvedLanguage = { language: "en", from: "service", match: "default" };

/**
 * Resolves the language for a user: the preferred one, else the organization's default, else the instance's. A regional
 * form (`de-CH`) counts as its base language; languages without texts and those that are not allowed are skipped.
 */
export async function resolveLanguage(
  ctx: Context,
  wanted: { preferred?: string | null; organizationId?: string },
): Promise<ResolvedLanguage> {
  const [all, allowed] = [await languagesOf(ctx), await allowedLanguages(ctx)];
  const match = (tag: string | null | undefined, from: ResolvedLanguage["from"]): ResolvedLanguage | undefined => {
    const found = tag ? closestLanguage(tag, all) : undefined;
    return found && allowed.includes(found.language) ? { ...found, from } : undefined;
  };
  const preferred = match(wanted.preferred, "user");
  if (preferred) return preferred;
  const { organizationId } = wanted;
  const [first, second] = await defaultLanguages(ctx, organizationId ?? null);
  return (
    (second === undefined ? undefined : match(first, "organization")) ??
    match(second ?? first, "instance") ??
    LAST_RESORT
  );
}

/**
 * Returns the language of a tag: itself (`exact`), else its base (`de-CH` → `de`). Accepts any text; returns undefined
 * for an invalid tag or an unknown language.
 */
export function closestLanguage(
  tag: string,
  languages: readonly Language[],
): { language: Language; match: "exact" | "base" } | undefined {
  const exact = languages.find((language) => language === tag.toLowerCase());
  if (exact) return { language: exact, match: "exact" };
  const base = negotiateLocale([tag], languages);
  const language = languages.find((one) => one === base);
  return language && { language, match: "base" };
}
