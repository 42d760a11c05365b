/** What the instance restricts for everybody: the languages of pages and mails. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import { MAX_ADDED_LANGUAGES } from "../../directory/policy/added-languages";
import { BUILT_IN_LANGUAGES } from "../../directory/policy/languages";
import { policyDetails } from "../../directory/policy/read";
import { changeRestrictions, readRestrictions } from "../../directory/policy/restrictions";
import { isApiError } from "../../protocol/api-error";
import { detailsAnswer } from "../operation/answers";
import { languageField, languagesIn } from "../operation/language-field";
import { operation } from "../operation/operation";
import { details } from "../operation/schemas";

const MAX_LANGUAGES = BUILT_IN_LANGUAGES.length + MAX_ADDED_LANGUAGES;

export const restrictionOperations = [
  operation("GetRestrictions", "GET /admin/v1/restrictions", {
    tag: "Languages",
    summary: "Read which languages are allowed",
    scope: { level: "instance", permission: "iam.policy.read" },
    answer: z.object({
      details,
      disallowPublicOrgRegistration: z.boolean(),
      allowedLanguages: z.array(z.string()).meta({ description: "Empty: all there are" }),
    }),
    async handle(ctx) {
      const { disallowPublicOrgRegistration, allowedLanguages } = await readRestrictions(ctx);
      const details = await policyDetails(ctx, "restrictions", undefined);
      return { details, disallowPublicOrgRegistration, allowedLanguages };
    },
  }),
  operation("SetRestrictions", "PUT /admin/v1/restrictions", {
    tag: "Languages",
    summary: "Allow some languages only",
    description:
      "Settings that are left out are kept; an empty list allows all languages. The default language must be among them. " +
      "This service has no public registration of organizations, regardless of disallowPublicOrgRegistration.",
    scope: { level: "instance", permission: "iam.policy.write" },
    body: strict({
      disallowPublicOrgRegistration: z.boolean().optional(),
      allowedLanguages: strict({ list: z.array(languageField).max(MAX_LANGUAGES) }).optional(),
    }),
    async handle(ctx, { body }) {
      const { disallowPublicOrgRegistration, allowedLanguages } = body;
      const list = allowedLanguages && (await languagesIn(ctx, allowedLanguages.list, "allowedLanguages.list"));
      if (isApiError(list)) return list;
      const wanted = {
        ...(disallowPublicOrgRegistration !== undefined && { disallowPublicOrgRegistration }),
        ...(list && { allowedLanguages: [...list] }),
      };
      return detailsAnswer(await changeRestrictions(ctx, wanted));
    },
  }),
];
