/**
 * Validates a text language in a request. The languages depend on the instance (directory/policy/languages.ts), so the
 * schema accepts any tag and the operation checks it. The error is the same as that of a schema.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { findLanguage, type Language, languagesOf } from "../../directory/policy/languages";
import { type ApiError, fieldProblem, invalidArgument, isApiError } from "../../protocol/api-error";
import { reason } from "../../protocol/reason";

/** The schema for responses, and for requests before validation. */
export const languageField = z.string().meta({ example: "de" });

/**
 * Returns the language of the tag, or an error if it is unknown.
 * @param path the path of the field in the body or the query
 */
export async function languageIn(ctx: Context, tag: string, path: string): Promise<Language | ApiError> {
  const language = await findLanguage(ctx, tag);
  if (language !== undefined) return language;
  const values = (await languagesOf(ctx)).join(", ");
  const { id, message, field, reason: why } = fieldProblem("request.invalid", path, reason("one_of", { values }));
  return invalidArgument(id, message, { field, reason: why });
}

/** Like `languageIn`, for a list. Removes duplicates; returns the error of the first unknown language. */
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
