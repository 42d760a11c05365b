/** The languages of texts: listing them, which of them people may choose, and the one of whoever prefers none. */
import { z } from "zod";
import { findInstance } from "../directory/instance";
import { allowedAmong } from "../directory/policy/restrictions";
import { isApiError } from "../protocol/api-error";
import { setDefaultLanguage } from "../texts/default-language";
import { LANGUAGES } from "../texts/languages";
import { changedAnswer } from "./answers";
import { TEXT_LEVELS } from "./message-text-levels";
import { type Operation, operation } from "./operation";
import { changed } from "./schemas";

const defaultLanguage = z.object({ language: z.string() }).meta({ id: "DefaultLanguage" });
export const languages = z.object({ languages: z.array(z.enum(LANGUAGES)) }).meta({ id: "Languages" });

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
    handle: async () => ({ languages: LANGUAGES }),
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
    handle: async (ctx) => ({ languages: await allowedAmong(ctx, LANGUAGES) }),
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
];
