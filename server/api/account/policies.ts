/** The rules that the caller's own account is under: those of the organization they belong to. */
import { allowedLanguages } from "../../directory/policy/languages";
import { type Operation, operation } from "../operation/operation";
import { labelAnswer, shown } from "../policies/label-schemas";
import { readPolicyAnswer } from "../policies/policies";
import { declaredPolicies, ownSettings, policyAnswer } from "../policies/policy-schemas";
import { languages } from "../texts/languages";
import { OWN } from "../users/own";

/** Those that concern the person, at the addresses of this API. */
const PATHS: Readonly<Record<string, string>> = {
  login: "login",
  password: "passwords/complexity",
  privacy: "privacy",
};

export const ownPolicyOperations: readonly Operation[] = [
  ...declaredPolicies.flatMap((words): Operation[] => {
    const { kind, name, subject, shape } = words;
    const path = PATHS[kind];
    if (path === undefined) return [];
    return [
      operation(`GetMy${name}Policy`, `GET /auth/v1/policies/${path}`, {
        ...OWN,
        summary: `Read ${subject}, as in force for the caller`,
        answer: policyAnswer(name, { ...shape, ownSettings }),
        handle: (ctx, { caller }) => readPolicyAnswer(ctx, words, caller.organizationId),
      }),
    ];
  }),
  operation("GetMyLabelPolicy", "GET /auth/v1/policies/label", {
    ...OWN,
    summary: "Read the branding of pages and emails, as in force for the caller",
    answer: shown,
    handle: (ctx, { caller }) => labelAnswer(ctx, "label", caller.organizationId),
  }),
  operation("GetSupportedLanguages", "GET /auth/v1/languages", {
    ...OWN,
    summary: "List the languages people may choose",
    answer: languages,
    handle: async (ctx) => ({ languages: [...(await allowedLanguages(ctx))] }),
  }),
];
