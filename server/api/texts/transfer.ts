/** All texts of a language, of messages and pages, as a file for translators, and back. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import { isBuiltIn, supportedLanguage } from "../../directory/policy/languages";
import { isApiError } from "../../protocol/api-error";
import { exportTranslations, TRANSFER_FORMATS } from "../../texts/transfer/export";
import { importTranslations } from "../../texts/transfer/import";
import { namePages } from "../../web/preview/preview-page";
import { languageField, languageIn } from "../operation/language-field";
import { type Operation, operation } from "../operation/operation";
import { checkLanguage, organizationAt, TEXT_LEVELS, type TextLevel } from "./levels";

/** Bytes: several times what all texts of a language at their limits take. */
const MAX_FILE = 4_000_000;

const format = z.enum(TRANSFER_FORMATS);

const exported = z.object({
  fileName: z.string(),
  contentType: z.string(),
  content: z.string().meta({ description: "The file" }),
});

const imported = z.object({
  isApplied: z.boolean().meta({ description: "False after a dry run" }),
  isDraft: z.literal(true).optional().meta({ description: "True if the changes wait for another user's approval" }),
  changes: z.array(
    z.object({
      id: z.string().meta({ example: "message.verifyemail.subject" }),
      from: z.string().optional().meta({ description: "Left out: the inherited text" }),
      to: z.string().optional().meta({ description: "Left out: the inherited text" }),
      type: z.string().optional().meta({ description: "The type of the message; left out for a word of the pages" }),
      field: z.string().meta({ description: "The field of the message, or the word", example: "subject" }),
      page: z
        .object({ id: z.string(), title: z.string() })
        .optional()
        .meta({ description: "For a word: a page that shows it" }),
    }),
  ),
});

/** Returns where a text of the file is used. */
function placeOf(id: string, language: string): { type?: string; field: string; page?: { id: string; title: string } } {
  const [kind, group = "", ...rest] = id.split(".");
  if (kind === "message") return { type: group, field: rest.join(".") };
  const name = group.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const pages = namePages(isBuiltIn(language) ? language : "en");
  const page = pages.find((one) => one.id === name);
  return { field: [group, ...rest].join("."), ...(page && { page: { id: page.id, title: page.title } }) };
}

export const textTransferOperations: readonly Operation[] = TEXT_LEVELS.flatMap(operationsAt);

function operationsAt({ level, base, service, owner, permissions }: TextLevel): Operation[] {
  return [
    operation(`${service}_ExportTranslations`, `GET ${base}/text/translations/:language/_export`, {
      tag: service,
      summary: `Export all texts of ${owner} in one language for translators`,
      description:
        "XLIFF 2.0, or JSON. Each text is listed with its version in the language `source`, which is English by default. Variables are placeholders.",
      scope: { level, permission: permissions.read },
      effort: "heavy",
      checkParameters: checkLanguage,
      query: strict({ format: format.optional(), source: languageField.optional() }),
      answer: exported,
      async handle(ctx, call) {
        const language = await supportedLanguage(ctx, call.parameters.language ?? "");
        if (isApiError(language)) return language;
        const { format = "xliff" } = call.query;
        const source = await languageIn(ctx, call.query.source ?? "en", "source");
        if (isApiError(source)) return source;
        const wanted = { organizationId: organizationAt(level, call), language, source, format };
        const content = await exportTranslations(ctx, wanted);
        const contentType = format === "json" ? "application/json" : "application/xliff+xml";
        return { fileName: `texts-${language}.${format === "json" ? "json" : "xlf"}`, contentType, content };
      },
    }),
    operation(`${service}_ImportTranslations`, `POST ${base}/text/translations/:language/_import`, {
      tag: service,
      summary: `Import the texts of ${owner} in one language from a translator's file`,
      description:
        "All texts are validated first and all errors are reported; either all changes are made or none. Texts that the file omits are kept. A text equal to the inherited one is not stored as a customization. For messages that open or protect accounts, and texts of pages where codes and passwords are entered, the caller must hold all permissions of the readers.",
      scope: { level, permission: permissions.propose, target: "nobody" },
      effort: "heavy",
      maxBodyBytes: MAX_FILE,
      checkParameters: checkLanguage,
      body: strict({
        format: format.optional().meta({ description: "xliff by default" }),
        content: z.string(),
        dryRun: z.boolean().optional().meta({ description: "Only return what would change" }),
      }).meta({ id: "ImportTranslations" }),
      answer: imported,
      async handle(ctx, call) {
        const language = await supportedLanguage(ctx, call.parameters.language ?? "");
        if (isApiError(language)) return language;
        const { format = "xliff", content, dryRun: isTrial = false } = call.body;
        const wanted = { organizationId: organizationAt(level, call), language, format, content, isTrial };
        const outcome = await importTranslations(ctx, wanted);
        return isApiError(outcome)
          ? outcome
          : {
              isApplied: !isTrial,
              ...(outcome.isDraft && { isDraft: true as const }),
              changes: outcome.changes.map((change) => ({ ...change, ...placeOf(change.id, call.language) })),
            };
      },
    }),
  ];
}
