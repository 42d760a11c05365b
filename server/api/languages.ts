/**
 * The languages of texts: listing them, adding others than the built-in ones, which of them people may choose, and the one of
 * whoever prefers none.
 */
import { z } from "zod";
import { line, strict } from "../directory/fields";
import { findInstance } from "../directory/instance";
import { addLanguage, MAX_LANGUAGE_NAME, removeLanguage } from "../directory/policy/added-languages";
import { addedEntries, allowedLanguages, languagesOf } from "../directory/policy/languages";
import { isApiError } from "../protocol/api-error";
import { setDefaultLanguage } from "../texts/default-language";
import { changedAnswer, detailsAnswer } from "./answers";
import { languageField } from "./language-field";
import { TEXT_LEVELS } from "./message-text-levels";
import { type Operation, operation } from "./operation";
import { changed } from "./schemas";

const defaultLanguage = z.object({ language: z.string() }).meta({ id: "DefaultLanguage" });
export const languages = z.object({ languages: z.array(languageField) }).meta({ id: "Languages" });

const addedLanguage = z
  .object({
    language: languageField,
    name: z.string().meta({ description: "In itself" }),
    direction: z.enum(["ltr", "rtl"]).meta({ description: "Of writing" }),
  })
  .meta({ id: "AddedLanguage" });

/** Whatever stands in the address is refused by the use case, in its own words. */
const checkTag = () => undefined;

/** For everybody who is signed in. */
const listings = TEXT_LEVELS.map(({ base, service }) =>
  operation({
    id: `${service}_ListLanguages`,
    published: { operationId: undefined },
    method: "GET",
    path: `${base}/languages`,
    tag: service,
    summary: "List the languages of texts",
    scope: { level: "caller" },
    answer: languages,
    handle: async (ctx) => ({ languages: [...(await languagesOf(ctx))] }),
  }),
);

export const languageOperations: readonly Operation[] = [
  ...listings,
  operation({
    id: "ListAllowedLanguages",
    published: { operationId: undefined },
    method: "GET",
    path: "/admin/v1/languages/allowed",
    tag: "AdminService",
    summary: "List the languages people may choose",
    scope: { level: "caller" },
    answer: languages,
    handle: async (ctx) => ({ languages: [...(await allowedLanguages(ctx))] }),
  }),
  operation({
    id: "GetDefaultLanguage",
    published: { operationId: undefined },
    method: "GET",
    path: "/admin/v1/languages/default",
    tag: "AdminService",
    summary: "Read the language of whoever prefers none",
    scope: { level: "caller" },
    answer: defaultLanguage,
    handle: async (ctx) => ({ language: (await findInstance(ctx)).defaultLanguage }),
  }),
  operation({
    id: "SetDefaultLanguage",
    method: "PUT",
    path: "/admin/v1/languages/default/:language",
    tag: "Languages",
    summary: "Set the default language",
    scope: { level: "instance", permission: "iam.write", over: "nobody" },
    answer: changed,
    async handle(ctx, { parameters, origin }) {
      const outcome = await setDefaultLanguage(ctx, parameters.language ?? "", origin);
      return isApiError(outcome) ? outcome : changedAnswer(ctx, "instance", outcome.instanceId);
    },
  }),
  operation({
    id: "ListAddedLanguages",
    method: "GET",
    path: "/admin/v1/languages/added",
    tag: "Languages",
    summary: "List the languages that administrators have added",
    scope: { level: "caller" },
    answer: z.object({ languages: z.array(addedLanguage) }),
    async handle(ctx) {
      const added = await addedEntries(ctx);
      return { languages: added.map(({ tag, endonym, dir }) => ({ language: tag, name: endonym, direction: dir })) };
    },
  }),
  operation({
    id: "AddLanguage",
    method: "PUT",
    path: "/admin/v1/languages/:language",
    tag: "Languages",
    summary: "Add a language that is not built in",
    description:
      "By the tag of the language alone, as in `cy`, `is` or `ckb`; 20 at most. Its texts are then written like those of " +
      "every other language. What is not written in it says what the built-in text says in the default language, or in " +
      "English where that is an added one too. People may choose it unless `allowedLanguages` leaves it out. The console " +
      "and the errors of these APIs speak the built-in languages only. Repeated with a name, it changes the name.",
    scope: { level: "instance", permission: "iam.write", over: "nobody" },
    checkParameters: checkTag,
    body: strict({
      name: line(MAX_LANGUAGE_NAME)
        .optional()
        .meta({ description: "In itself, as people find it among others; left out: as Unicode has it" }),
    }),
    bodyIsOptional: true,
    answer: changed,
    async handle(ctx, { parameters, body, origin }) {
      return detailsAnswer(await addLanguage(ctx, { tag: parameters.language ?? "", ...body }, origin));
    },
  }),
  operation({
    id: "RemoveLanguage",
    method: "DELETE",
    path: "/admin/v1/languages/:language",
    tag: "Languages",
    summary: "Remove a language that was added",
    description:
      "Not while it is the default language. What was written in it stays stored and is there again with it; people who " +
      "prefer it read the default language.",
    scope: { level: "instance", permission: "iam.write", over: "nobody" },
    checkParameters: checkTag,
    answer: changed,
    async handle(ctx, { parameters, origin }) {
      return detailsAnswer(await removeLanguage(ctx, parameters.language ?? "", origin));
    },
  }),
];
