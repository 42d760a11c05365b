/** What the instance restricts for everybody: the languages of pages and mails. */
import { z } from "zod";
import { strict } from "../directory/fields";
import { policyDetails } from "../directory/policy/read";
import { changeRestrictions, readRestrictions } from "../directory/policy/restrictions";
import { said } from "../protocol/reason";
import { LANGUAGES, parseLanguage } from "../texts/languages";
import { detailsAnswer } from "./answers";
import { operation } from "./operation";
import { changed, details } from "./schemas";

const language = z.string().transform((tag, issues) => {
  const known = parseLanguage(tag);
  if (known) return known;
  issues.addIssue({ code: "custom", message: said("one_of", { values: LANGUAGES.join(", ") }) });
  return z.NEVER;
});

export const restrictionOperations = [
  operation({
    id: "GetRestrictions",
    method: "GET",
    path: "/admin/v1/restrictions",
    tag: "Languages",
    summary: "Read which languages are allowed",
    scope: { level: "instance", permission: "iam.policy.read" },
    answer: z.object({
      details,
      disallowPublicOrgRegistration: z.boolean(),
      allowedLanguages: z.array(z.string()).meta({ description: "Empty: all there are" }),
    }),
    async handle(ctx) {
      return { details: await policyDetails(ctx, "restrictions", undefined), ...(await readRestrictions(ctx)) };
    },
  }),
  operation({
    id: "SetRestrictions",
    method: "PUT",
    path: "/admin/v1/restrictions",
    tag: "Languages",
    summary: "Allow some languages only",
    description:
      "What is left out stays as it is; an empty list allows all languages. The default language must be among them. " +
      "No page of this service lets the public make organizations, whatever disallowPublicOrgRegistration says.",
    scope: { level: "instance", permission: "iam.policy.write" },
    body: strict({
      disallowPublicOrgRegistration: z.boolean().optional(),
      allowedLanguages: strict({ list: z.array(language).max(LANGUAGES.length) }).optional(),
    }),
    answer: changed,
    async handle(ctx, { body, origin }) {
      const { disallowPublicOrgRegistration, allowedLanguages } = body;
      const wanted = {
        ...(disallowPublicOrgRegistration !== undefined && { disallowPublicOrgRegistration }),
        ...(allowedLanguages && { allowedLanguages: [...new Set(allowedLanguages.list)] }),
      };
      return detailsAnswer(await changeRestrictions(ctx, wanted, origin));
    },
  }),
];
