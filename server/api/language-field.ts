/**
 * A language of texts in a request. Which there are, the instance says (directory/policy/languages.ts), so a schema takes
 * any tag and the operation asks; the refusal is that of a schema all the same.
 */
import { z } from "zod";
import type { Context } from "../context";
import { findLanguage, type Language, languagesOf } from "../directory/policy/languages";
import { type ApiError, fieldProblem, invalidArgument, isApiError } from "../protocol/api-error";
import { reason } from "../protocol/reason";

/** Of answers, and of requests before they are asked about. */
export const languageField = z.string().meta({ example: "de" });

/** @param path of the field in the body or the query */
export async function languageIn(ctx: Context, tag: string, path: string): Promise<Language | ApiError> {
  const language = await findLanguage(ctx, tag);
  if (language !== undefined) return language;
  const values = (await languagesOf(ctx)).join(", ");
  const { id, message, field, reason: why } = fieldProblem("request.invalid", path, reason("one_of", { values }));
  return invalidArgument(id, message, { field, reason: why });
}

/** The same for several, each once; the refusal of the first that there is not. */
export async function languagesIn(
  ctx: Context,
  tags: readonly string[],
  path: string,
): Promise<readonly Language[] | ApiError> {
  const found = new Set<Language>();
  for (const [index, tag] of tags.entries()) {
    const language = await languageIn(ctx, tag, `${path}[${index}]`);
    if (isApiError(language)) return language;
    found.add(language);
  }
  return [...found];
}
