/**
 * The languages of texts: listing them, adding others than the built-in ones, which of them people may choose, and the
 * one of people who have not chosen one.
 */
import { z } from "zod";
import { line, strict } from "../../directory/fields";
import { findInstance } from "../../directory/instance";
import { addLanguage, MAX_LANGUAGE_NAME, removeLanguage } from "../../directory/policy/added-languages";
import { addedEntries, allowedLanguages, languagesOf } from "../../directory/policy/languages";
import { setDefaultLanguage } from "../../texts/default-language";
import { progressOfLanguages } from "../../texts/transfer/progress";
import { answered, changedAnswer, detailsAnswer } from "../operation/answers";
import { languageField } from "../operation/language-field";
import { type Operation, operation } from "../operation/operation";
import { OWN } from "../users/own";
import { TEXT_LEVELS } from "./levels";

const defaultLanguage = z.object({ language: z.string() }).meta({ id: "DefaultLanguage" });
const languages = z.object({ languages: z.array(languageField) }).meta({ id: "Languages" });

const addedLanguage = z
  .object({
    language: languageField,
    name: z.string().meta({ description: "The name of the language in the language itself" }),
    direction: z.enum(["ltr", "rtl"]).meta({ description: "The writing direction" }),
  })
  .meta({ id: "AddedLanguage" });

const kindProgress = z
  .object({
    total: z.int().meta({ description: "The number of texts" }),
    customized: z.int().meta({ description: "Written by the instance" }),
    translated: z.int().meta({ description: "As built in, in this language" }),
    fallback: z.int().meta({ description: "Shown in the language of `fallsBackTo`" }),
  })
  .meta({ id: "TextProgress" });

const languageProgress = z
  .object({
    language: languageField,
    name: z.string().meta({ description: "The name of the language in the language itself" }),
    direction: z.enum(["ltr", "rtl"]).meta({ description: "The writing direction" }),
    isAdded: z.boolean().meta({ description: "Whether an administrator added it" }),
    isDefault: z.boolean().meta({ description: "Whether it is the default language" }),
    fallsBackTo: languageField.meta({ description: "The language of texts that are missing" }),
    messages: kindProgress.meta({ description: "The texts of emails and text messages" }),
    pages: kindProgress.meta({ description: "The texts of the sign-in pages" }),
  })
  .meta({ id: "LanguageProgress" });

/** Accepts any tag in the address; the use case rejects invalid ones with its own error. */
const checkTag = () => undefined;

/** Open to any signed-in user. */
const listings = TEXT_LEVELS.map(({ base, service }) =>
  operation(`${service}_ListLanguages`, `GET ${base}/languages`, {
    published: { operationId: undefined },
    tag: service,
    summary: "List the languages of texts",
    scope: { level: "caller" },
    answer: languages,
    handle: async (ctx) => ({ languages: [...(await languagesOf(ctx))] }),
  }),
);

export const languageOperations: readonly Operation[] = [
  ...listings,
  operation("ListAllowedLanguages", "GET /admin/v1/languages/allowed", {
    published: { operationId: undefined },
    tag: "AdminService",
    summary: "List the languages users may choose",
    scope: { level: "caller" },
    answer: languages,
    also: { GetSupportedLanguages: { at: "GET /auth/v1/languages", ...OWN, published: undefined } },
    handle: async (ctx) => ({ languages: [...(await allowedLanguages(ctx))] }),
  }),
  operation("GetDefaultLanguage", "GET /admin/v1/languages/default", {
    published: { operationId: undefined },
    tag: "AdminService",
    summary: "Read the default language",
    scope: { level: "caller" },
    answer: defaultLanguage,
    handle: async (ctx) => ({ language: (await findInstance(ctx)).defaultLanguage }),
  }),
  operation("SetDefaultLanguage", "PUT /admin/v1/languages/default/:language", {
    tag: "Languages",
    summary: "Set the default language",
    scope: { level: "instance", permission: "iam.write", target: "nobody" },
    handle: (ctx, { parameters }) =>
      answered(setDefaultLanguage(ctx, parameters.language ?? ""), (outcome) =>
        changedAnswer(ctx, "instance", outcome.instanceId),
      ),
  }),
  operation("ListAddedLanguages", "GET /admin/v1/languages/added", {
    tag: "Languages",
    summary: "List the languages that administrators have added",
    scope: { level: "caller" },
    answer: z.object({ languages: z.array(addedLanguage) }),
    async handle(ctx) {
      const added = await addedEntries(ctx);
      return { languages: added.map(({ tag, endonym, dir }) => ({ language: tag, name: endonym, direction: dir })) };
    },
  }),
  operation("ListLanguageProgress", "GET /admin/v1/languages/progress", {
    tag: "Languages",
    summary: "List how far each language is written",
    description:
      "For messages and for the words of the pages: how many texts the instance has customized, how many are built in in this language, and how many fall back to another one.",
    scope: { level: "instance", permission: "iam.policy.read" },
    answer: z.object({ languages: z.array(languageProgress) }),
    handle: async (ctx) => ({ languages: await progressOfLanguages(ctx) }),
  }),
  operation("AddLanguage", "PUT /admin/v1/languages/:language", {
    tag: "Languages",
    summary: "Add a language that is not built in",
    description:
      "The tag is that of the language alone, such as `cy`, `is` or `ckb`; at most 20 languages. Its texts are edited like those of " +
      "any other language. Texts that are missing fall back to the built-in text in the default language, or in " +
      "English if that is also an added language. Users may choose it unless `allowedLanguages` excludes it. The console " +
      "and the errors of these APIs use the built-in languages only. Repeating the request with a name changes the name.",
    scope: { level: "instance", permission: "iam.write", target: "nobody" },
    checkParameters: checkTag,
    body: strict({
      name: line(MAX_LANGUAGE_NAME).optional().meta({
        description:
          "The name of the language in the language itself, as shown in lists; by default that of Unicode CLDR",
      }),
    }),
    bodyIsOptional: true,
    async handle(ctx, { parameters, body }) {
      return detailsAnswer(await addLanguage(ctx, { tag: parameters.language ?? "", ...body }));
    },
  }),
  operation("RemoveLanguage", "DELETE /admin/v1/languages/:language", {
    tag: "Languages",
    summary: "Remove a language that was added",
    description:
      "The default language cannot be removed. Texts in the language are kept and reappear if it is added again; users who " +
      "prefer it see the default language.",
    scope: { level: "instance", permission: "iam.write", target: "nobody" },
    checkParameters: checkTag,
    async handle(ctx, { parameters }) {
      return detailsAnswer(await removeLanguage(ctx, parameters.language ?? ""));
    },
  }),
];
