/**
 * Which text is in force, field by field: what the organization says, else the instance, else the built-in text of the
 * same language. Sending, previewing and reading through the API all ask here, so that what an administrator sees is
 * what users get. Spec: What the service does, rules 1–3.
 */
import type { Context } from "../context";
import { createCache } from "../directory/cache";
import { allowedAmong } from "../directory/policy/restrictions";
import type { Database } from "../storage/database";
import { findDefaultLanguage } from "../storage/languages";
import { listMessageTexts, type MessageTextLevel } from "../storage/message-texts";
import { builtInLanguage, builtInText } from "./built-in";
import type { MessageType } from "./kinds";
import { LANGUAGES, type Language } from "./languages";
import { MESSAGE_FIELDS, type MessageField } from "./message-text";

/** Which level a field comes from. */
export type TextLayer = MessageTextLevel | "built_in";

export interface TextWanted {
  type: MessageType;
  language: Language;
  /** Undefined: the text in force at instance level. */
  organizationId?: string;
}

export interface ResolvedField {
  text: string;
  layer: TextLayer;
}

export type ResolvedText = Readonly<Record<MessageField, ResolvedField>>;

const texts = createCache<ResolvedText>();
const defaults = createCache<readonly string[]>();

/**
 * The text in force. Remembered in this process for five seconds at most; a change made in this process with
 * `changeDirectory` is seen at once.
 */
export async function resolveMessageText(ctx: Context, wanted: TextWanted): Promise<ResolvedText> {
  const key = `${wanted.type}/${wanted.language}/${wanted.organizationId ?? ""}`;
  return (await texts.get(ctx, key, () => readMessageText(ctx.db, wanted))) as ResolvedText;
}

/** The text in force as the database has it now, in one query: what was changed a moment ago elsewhere is in it. */
export async function readMessageText(db: Database, wanted: TextWanted): Promise<ResolvedText> {
  const { type, language, organizationId } = wanted;
  const levels = await listMessageTexts(db, { type, language, organizationId: organizationId ?? null });
  const builtIn = builtInText(type, language);
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
  /** Whose wish it is. */
  from: "user" | "organization" | "instance" | "service";
  /** `base`: the wish was a regional form, as in de-CH. */
  match: "exact" | "base" | "default";
}

/** English: the language every text was first written in. */
const LAST_RESORT: ResolvedLanguage = { language: "en", from: "service", match: "default" };

/**
 * The language somebody is written to in: his preferred one, else the organization's default, else the instance's.
 * A regional form (`de-CH`) is understood as its base language; a language that has no texts or is not allowed is
 * passed over.
 */
export async function resolveLanguage(
  ctx: Context,
  wanted: { preferred?: string | null; organizationId?: string },
): Promise<ResolvedLanguage> {
  const allowed = await allowedAmong(ctx, LANGUAGES);
  const match = (tag: string | null | undefined, from: ResolvedLanguage["from"]) => matchAmong(allowed, tag, from);
  const preferred = match(wanted.preferred, "user");
  if (preferred) return preferred;
  const { organizationId } = wanted;
  const found = await defaults.get(ctx, organizationId ?? "", async () => {
    const languages = await findDefaultLanguage(ctx.db, organizationId ?? null);
    return languages.length > 0 ? languages : undefined;
  });
  const [first, second] = found ?? [];
  return (
    (second === undefined ? undefined : match(first, "organization")) ??
    match(second ?? first, "instance") ??
    LAST_RESORT
  );
}

function matchAmong(
  allowed: readonly Language[],
  tag: string | null | undefined,
  from: ResolvedLanguage["from"],
): ResolvedLanguage | undefined {
  if (!tag) return undefined;
  const { language, match } = builtInLanguage(tag);
  return match === "default" || !allowed.includes(language) ? undefined : { language, from, match };
}
