/** Sets the default language, for people who prefer none. Listing the languages belongs to the texts (../texts). */
import { isApiError } from "../protocol/api-error";
import { setDefaultLanguage } from "../texts/default-language";
import { changedAnswer } from "./answers";
import { operation } from "./operation";
import { changed } from "./schemas";

export const languageOperations = [
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
