/** Sets the default language, for people who prefer none. Listing the languages belongs to the texts (../texts). */
import { changeDirectory } from "../directory/change";
import { changeInstance, findInstance } from "../directory/instance";
import { allowedAmong } from "../directory/policy/restrictions";
import { failedPrecondition, invalidArgument } from "../protocol/api-error";
import { LANGUAGES, parseLanguage } from "../texts/languages";
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
      const defaultLanguage = parseLanguage(parameters.language ?? "");
      if (!defaultLanguage) {
        const reason = `Supported languages are ${LANGUAGES.join(", ")}.`;
        return invalidArgument("language.not_supported", reason, { field: "language" });
      }
      if (!(await allowedAmong(ctx, LANGUAGES)).includes(defaultLanguage)) {
        const reason = "The language is not allowed here; see /admin/v1/restrictions.";
        return failedPrecondition("language.not_allowed", reason, { field: "language" });
      }
      const instance = await findInstance(ctx);
      await changeDirectory(ctx, (tx) => changeInstance(ctx, tx, instance, { defaultLanguage }, origin));
      return changedAnswer(ctx, "instance", instance.id);
    },
  }),
];
