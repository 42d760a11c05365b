/**
 * The errors of the management APIs in the caller's language (rule API-16): that of `Accept-Language`, for the
 * console's own pages that of the page. The slug never changes, so programs branch on it. English shows the operation's
 * own sentence, which is the most precise; only the reasons about fields have other words on pages, which show the
 * field's label instead of its name.
 */
import { refusalMessages } from "../../messages/refusals";
import { type ApiError, type ApiErrorBody, apiErrorBody, type Problem } from "../protocol/api-error";
import { fillIn, type Reason, type ReasonId, sentenceOf } from "../protocol/reason";
import { REFUSALS, type RefusalId, type RefusalText } from "../protocol/refusals";

/** A sentence for every error and every reason; otherwise the message files do not compile. */
interface Texts {
  id: Readonly<Record<RefusalText, string>>;
  reason: Readonly<Record<ReasonId, string>>;
  text: Readonly<Record<TextError, string>>;
}
/** Errors with separate sentences for page texts, as pages open no accounts. */
export const OF_WORDS = ["foreign_address", "joined_address"] as const;
type OfWords = (typeof OF_WORDS)[number];
/** The slugs about the texts of messages and pages, without their first part. */
type TextError =
  | `word_${OfWords}`
  | {
      [Id in RefusalId]: (typeof REFUSALS)[Id] extends "text"
        ? Id extends `${"message" | "login"}_text.${infer Name}`
          ? Name
          : never
        : never;
    }[RefusalId];
const BY_LANGUAGE: Readonly<Record<string, { by: Texts }>> = refusalMessages;

/** Errors with a server's own response, which follows our sentence in brackets. */
const KEEPS_DETAIL: ReadonlySet<RefusalText> = new Set([
  "directory_test_failed",
  "domain_not_proven",
  "mail_not_sent",
  "text_file_malformed",
  "text_file_unknown_text",
]);
/** Sentences that must name their field. */
const NAMES_FIELD: ReadonlySet<RefusalText> = new Set(["no_json", "wrong_value"]);

const isOfWords = (slug: string | undefined): slug is OfWords => OF_WORDS.some((one) => one === slug);

/** Who reads a sentence: the developer of a program, or a user of the console. */
export type RefusalReader = "developer" | "user";

/** Returns the sentence of an error in this language. */
export function refusalText(language: string, refusal: Problem, reader: RefusalReader = "developer"): string {
  const { id, field, message, reason, within, limit } = refusal;
  const texts = BY_LANGUAGE[language]?.by;
  const at = field === undefined ? "" : `${field}: `;
  if (reason && (language !== "en" || reader === "user")) return at + reasonText(language, reason, reader);
  if (!texts || language === "en") return message;
  const key = REFUSALS[within ?? id];
  if (key === "reasons") return message;
  if (key === "text") {
    const [owner, slug] = (within ?? id).split(".");
    const name = (owner === "login_text" && isOfWords(slug) ? `word_${slug}` : slug) as TextError;
    return at + fillIn(texts.text[name], { limit: limit ?? "" });
  }
  const text = texts.id[key];
  if (KEEPS_DETAIL.has(key)) return `${text} (${message})`;
  return within !== undefined || NAMES_FIELD.has(key) ? at + text : text;
}

/** Returns the reason for rejecting a field in this language; for developers in English it follows the field's name. */
export function reasonText(language: string, reason: Reason, reader: RefusalReader = "developer"): string {
  const hasName = language === "en" && reader === "developer";
  const sentence = hasName ? undefined : BY_LANGUAGE[language]?.by.reason[reason.id];
  return sentence === undefined ? sentenceOf(reason) : fillIn(sentence, reason.values);
}

/** Returns the error's body with its sentences in this language; ids, fields and codes are unchanged. */
export function localizedBody(error: ApiError, language: string, reader: RefusalReader = "developer"): ApiErrorBody {
  const { code, message, details } = apiErrorBody(error);
  if (!error.problems) return { code, message: refusalText(language, error, reader), details };
  const sentences = error.problems.map((problem) => refusalText(language, problem, reader));
  return {
    code,
    message: language === "en" && reader === "developer" ? message : (sentences[0] ?? message),
    details: details.map((detail, index) => ({ ...detail, message: sentences[index] })),
  };
}
