/**
 * Says why people get the text they get: for every field what each level says and which one counts, and how the
 * language came about. The same functions answer here that choose when a message is sent.
 */
import type { Caller } from "../access/caller";
import type { Context } from "../context";
import { languageTag } from "../directory/fields";
import type { Details } from "../events/record";
import { type ApiError, invalidArgument, isApiError } from "../protocol/api-error";
import { listMessageTexts } from "../storage/message-texts";
import { builtInText } from "./built-in";
import type { MessageType } from "./kinds";
import type { Language } from "./languages";
import { fieldsOf, type MessageField } from "./message-text";
import { findOverride } from "./override";
import { resolveLanguage, type TextLayer } from "./resolve";
import { authorizeOwner, type TextTarget } from "./text-owner";

export interface ExplainedField {
  /** What people get. */
  text: string;
  /** The level it comes from. */
  layer: TextLayer;
  /** What each level says; left out where it says nothing, and the organization's at instance level. */
  organization?: string;
  instance?: string;
  builtIn: string;
}

export interface Explanation {
  type: MessageType;
  language: {
    /** As asked, in canonical form: what somebody prefers. */
    requested: string;
    /** What he is written to in. */
    used: Language;
    /** `base`: the language without its region; `default`: that of the organization, the instance or the service. */
    match: "exact" | "base" | "default";
    from: "user" | "organization" | "instance" | "service";
  };
  fields: Readonly<Partial<Record<MessageField, ExplainedField>>>;
  /** Of the level's own text in the language used. */
  details: Details;
}

/** Unlike elsewhere the language is any a person may prefer, `de-CH` for instance; what is no tag is refused. */
export async function explainMessageText(
  ctx: Context,
  caller: Caller,
  request: TextTarget,
): Promise<Explanation | ApiError> {
  const owner = await authorizeOwner(ctx, caller, request, "read");
  if (isApiError(owner)) return owner;
  const requested = languageTag.safeParse(request.language);
  if (!requested.success) {
    return invalidArgument("language.malformed", "The language is no BCP 47 tag.", { field: "language" });
  }
  const { type } = request;
  const { organizationId, ownerId } = owner;
  const { language, from, match } = await resolveLanguage(ctx, { preferred: requested.data, organizationId });
  const levels = await listMessageTexts(ctx.db, { type, language, organizationId: organizationId ?? null });
  const builtIn = builtInText(type, language);
  const explain = (field: MessageField): ExplainedField => {
    const organization = levels.organization?.[field] || undefined;
    const instance = levels.instance?.[field] || undefined;
    const layer = organization ? "organization" : instance ? "instance" : "built_in";
    return {
      text: organization ?? instance ?? builtIn[field],
      layer,
      organization,
      instance,
      builtIn: builtIn[field],
    };
  };
  const { details } = await findOverride(ctx, { ownerId, type, language });
  return {
    type,
    language: { requested: requested.data, used: language, match: from === "user" ? match : "default", from },
    fields: Object.fromEntries(fieldsOf(type).map((field) => [field, explain(field)])),
    details,
  };
}
