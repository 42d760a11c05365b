/**
 * Explains how a text in force was chosen: for every field, the text of each level and which of them applies, and how
 * the language was chosen. Uses the same functions as sending.
 */
import type { Context } from "../../context";
import { languageTag } from "../../directory/fields";
import { type BuiltInLanguage, baseOf, type Language } from "../../directory/policy/languages";
import type { Details } from "../../events/record";
import type { MessageType } from "../../message-types/table";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import { reason } from "../../protocol/reason";
import { findReplacedTexts, listMessageTexts } from "../../storage/text/message-texts";
import { builtInText } from "../built-in";
import { findOwnText } from "../level/level-text";
import { fieldsOf, type MessageField } from "../message-text";
import { builtInThen } from "../replaced";
import { resolveLanguage, type TextLayer } from "../resolve";
import { type TextTarget, textOwner } from "../text-owner";
import { usableTexts } from "../usable";

export interface ExplainedField {
  /** The text in force. */
  text: string;
  /** The level it comes from. */
  layer: TextLayer;
  /**
   * The text of each level, including levels that are not used (texts/usable.ts); omitted if the level has none.
   * `organization` is always omitted at instance level.
   */
  organization?: string;
  instance?: string;
  builtIn: string;
  /** The built-in text that the level's own text replaced, if it has changed since. */
  builtInThen?: string;
}

export interface Explanation {
  type: MessageType;
  language: {
    /** The requested language, in canonical form. */
    requested: string;
    /** The language that is used. */
    used: Language;
    /** The language of the built-in texts, which differs for an added language. */
    builtIn: BuiltInLanguage;
    /** `base`: the language without its region; `default`: that of the organization, the instance or the service. */
    match: "exact" | "base" | "default";
    from: "user" | "organization" | "instance" | "service";
  };
  fields: Readonly<Partial<Record<MessageField, ExplainedField>>>;
  /** The details of the level's own text in the language used. */
  details: Details;
}

/**
 * Explains a text. Unlike elsewhere, any preferred language is accepted, for instance `de-CH`; an invalid language tag
 * is rejected.
 */
export async function explainMessageText(ctx: Context, request: TextTarget): Promise<Explanation | ApiError> {
  const requested = languageTag.safeParse(request.language);
  if (!requested.success) {
    return invalidArgument("language.malformed", "The language must be a BCP 47 tag, such as en.", {
      field: "language",
      reason: reason("language_tag"),
    });
  }
  const { type } = request;
  const { organizationId, ownerId } = await textOwner(ctx, request.organizationId);
  const { language, from, match } = await resolveLanguage(ctx, { preferred: requested.data, organizationId });
  const levels = await listMessageTexts(ctx.db, { type, language, organizationId: organizationId ?? null });
  const used = await usableTexts(ctx, { type, language, organizationId }, levels);
  const base = await baseOf(ctx, language);
  const builtIn = builtInText(type, base);
  const replaced = await findReplacedTexts(ctx.db, { ownerId, type, language });
  const explain = (field: MessageField): ExplainedField => {
    const organization = levels.organization?.[field] || undefined;
    const instance = levels.instance?.[field] || undefined;
    const layers = { organization: used.organization?.[field], instance: used.instance?.[field] };
    const layer = layers.organization ? "organization" : layers.instance ? "instance" : "built_in";
    return {
      text: (layer === "built_in" ? undefined : layers[layer]) || builtIn[field],
      layer,
      organization,
      instance,
      builtIn: builtIn[field],
      builtInThen: builtInThen(replaced, field, builtIn[field]),
    };
  };
  const { details } = await findOwnText(ctx, { ownerId, type, language });
  return {
    type,
    language: {
      requested: requested.data,
      used: language,
      builtIn: base,
      match: from === "user" ? match : "default",
      from,
    },
    fields: Object.fromEntries(fieldsOf(type).map((field) => [field, explain(field)])),
    details,
  };
}
