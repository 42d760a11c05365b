/**
 * What editors of the page texts need beside reading and setting them: where each word comes from, the pages
 * they stand on, and a preview of a page with words that are not saved.
 */
import { z } from "zod";
import { strict } from "../../directory/fields";
import { isBuiltIn, supportedLanguage } from "../../directory/policy/languages";
import { isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { explainLoginText } from "../../texts/pages/explain-page-texts";
import { findSamplePage, namePages, previewPage } from "../../web/preview/preview-page";
import { type Operation, operation } from "../operation/operation";
import { withoutDefaults } from "../operation/protobuf-json";
import { checkLanguage, organizationAt, TEXT_LEVELS, type TextLevel } from "./levels";
import { loginTextFields } from "./login-texts";
import { builtInThenSchema, detailsSchema, layer } from "./message-text-schemas";

const word = z.string().meta({ description: "A word, as `group.key`", example: "signIn.title" });

const explanation = z
  .object({
    language: z.string(),
    builtInLanguage: z.string().meta({
      description: "Of the built-in words: another one for a language that was added by an administrator",
    }),
    words: z.array(
      z.object({
        field: word,
        variables: z.array(z.string()),
        builtIn: z.string(),
        instance: z.string().optional(),
        organization: z.string().optional(),
        layer,
        builtInThen: builtInThenSchema,
        takesPower: z.literal(true).optional().meta({
          description:
            "True if the caller may not change it because it is shown where codes and passwords are entered and its readers have permissions that the caller lacks; else left out.",
        }),
      }),
    ),
    pages: z
      .array(
        z.object({
          id: z.string().meta({ example: "sign-in.refused" }),
          title: z.string(),
          state: z.string().optional().meta({ description: "What only this state of the page says" }),
        }),
      )
      .meta({ description: "All that can be previewed, named in the caller's language" }),
    customized: z
      .array(z.object({ language: z.string(), organization: z.array(word), instance: z.array(word) }))
      .meta({ description: "The words that each level has changed; languages in which none has are left out" }),
    details: detailsSchema,
  })
  .meta({ id: "LoginTextExplanation" });

const previewBody = strict({
  page: z
    .string()
    .refine((id) => findSamplePage(id) !== undefined, { error: issue("one_of", { values: "those of `_explain`" }) })
    .meta({ example: "sign-in" }),
  words: loginTextFields.optional().meta({
    description: "All words of the level, in place of the saved ones; left out: as saved",
  }),
}).meta({ id: "PreviewLoginText" });

const preview = z
  .object({
    html: z.string().meta({
      description:
        "A whole document, to be shown in a frame that runs and sends nothing. Words are elements with `data-word`, or `data-fixed` if they cannot be changed.",
    }),
    words: z.array(word).meta({ description: "Those on the page that can be changed, in their order" }),
    fixed: z.array(
      z.object({
        path: z.string(),
        text: z.string(),
        reason: z.enum(["protects", "form"]).meta({
          description: "`protects`: the reader, from a page that says what is not so; `form`: plural forms or a link",
        }),
      }),
    ),
    errors: z
      .array(
        z.object({
          id: z.string().meta({ example: "login_text.unknown_variable" }),
          field: word,
          message: z.string(),
          position: z.int().meta({ description: "In characters (code points) from 0" }),
          limit: z.int().optional(),
        }),
      )
      .meta({ description: "Why the words could not be saved" }),
  })
  .meta({ id: "LoginTextPreview" });

export const loginTextEditingOperations: readonly Operation[] = TEXT_LEVELS.flatMap(operationsAt);

function operationsAt({ level, base, service, owner, permissions }: TextLevel): Operation[] {
  const path = `${base}/text/login/:language`;
  return [
    operation(`${service}_ExplainLoginText`, `GET ${path}/_explain`, {
      tag: service,
      summary: `Explain where every word of the pages of ${owner} comes from`,
      scope: { level, permission: permissions.read },
      checkParameters: checkLanguage,
      answer: explanation,
      async handle(ctx, call) {
        const target = { organizationId: organizationAt(level, call), language: call.parameters.language ?? "" };
        const found = await explainLoginText(ctx, target, call.caller.userId);
        if (isApiError(found)) return found;
        const pages = namePages(isBuiltIn(call.language) ? call.language : found.builtInLanguage);
        return { ...found, pages, details: withoutDefaults<z.input<typeof detailsSchema>>(found.details) };
      },
    }),
    operation(`${service}_PreviewLoginText`, `POST ${path}/_preview`, {
      tag: service,
      summary: `Show a page of ${owner} with words that are not saved`,
      scope: { level, permission: permissions.read },
      checkParameters: checkLanguage,
      body: previewBody,
      answer: preview,
      async handle(ctx, call) {
        const language = await supportedLanguage(ctx, call.parameters.language ?? "");
        if (isApiError(language)) return language;
        const page = findSamplePage(call.body.page);
        if (!page) throw new Error(`no page ${call.body.page}`);
        const from = { organizationId: organizationAt(level, call), requestId: ctx.origin.requestId };
        const shown = await previewPage(ctx, { ...from, page, language, words: call.body.words });
        const errors = shown.errors.map(({ fault, ...error }) => ({ id: `login_text.${fault}`, ...error }));
        return { ...shown, errors };
      },
    }),
  ];
}
