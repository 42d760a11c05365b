/** One search over the texts of all messages and pages. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import { MESSAGE_TYPES } from "../../message-types/table";
import { isApiError } from "../../protocol/api-error";
import { searchTexts } from "../../texts/editing/search";
import { languageField, languageIn } from "../operation/language-field";
import { type Operation, operation } from "../operation/operation";
import { organizationAt, TEXT_LEVELS } from "./levels";
import { layer } from "./message-text-schemas";

const foundText = z
  .object({
    language: languageField,
    type: z.enum(MESSAGE_TYPES).optional().meta({ description: "Of the message; left out for words of the pages" }),
    field: z.string().meta({ description: "Of the message, or the word as `group.key`" }),
    text: z.string(),
    layer,
  })
  .meta({ id: "FoundText" });

const answer = z.object({
  result: z.array(foundText),
  isMore: z.boolean().meta({ description: "There are more than the 100 that are answered" }),
});

export const textSearchOperations: readonly Operation[] = TEXT_LEVELS.map(
  ({ level, base, service, owner, permissions }) =>
    operation(`${service}_SearchTexts`, `POST ${base}/text/_search`, {
      tag: service,
      summary: `Search all texts of ${owner}, of messages and pages`,
      effort: "search",
      scope: { level, permission: permissions.read },
      body: strict({
        query: z.string().min(1).max(200).meta({ description: "Somewhere in the text, in upper or lower case" }),
        language: languageField.optional().meta({ description: "Left out: in all languages" }),
      }).meta({ id: "SearchTexts" }),
      answer,
      async handle(ctx, call) {
        const { query } = call.body;
        const language =
          call.body.language === undefined ? undefined : await languageIn(ctx, call.body.language, "language");
        if (isApiError(language)) return language;
        const { found, isMore } = await searchTexts(ctx, {
          organizationId: organizationAt(level, call),
          query,
          language,
        });
        return { result: found, isMore };
      },
    }),
);
