/** The rules that the caller's own account is under: those of the organization they belong to. */
import { allowedLanguages } from "../../directory/policy/languages";
import { type Operation, operation } from "../operation/operation";
import { labelAnswer, shown } from "../policies/label-schemas";
import { readPolicyAnswer } from "../policies/policies";
import { declaredPolicies, ownSettings, policyAnswer } from "../policies/policy-schemas";
import { languages } from "../texts/languages";
import { OWN } from "./own-ref";

const tag = "Own account";
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
      operation({
        id: `GetMy${name}Policy`,
        method: "GET",
        path: `/auth/v1/policies/${path}`,
        tag,
        summary: `Read ${subject}, as in force for the caller`,
        scope: OWN,
        answer: policyAnswer(name, { ...shape, ownSettings }),
        handle: (ctx, { caller }) => readPolicyAnswer(ctx, words, caller.organizationId),
      }),
    ];
  }),
  operation({
    id: "GetMyLabelPolicy",
    method: "GET",
    path: "/auth/v1/policies/label",
    tag,
    summary: "Read the branding of pages and emails, as in force for the caller",
    scope: OWN,
    answer: shown,
    handle: (ctx, { caller }) => labelAnswer(ctx, "label", caller.organizationId),
  }),
  operation({
    id: "GetSupportedLanguages",
    method: "GET",
    path: "/auth/v1/languages",
    tag,
    summary: "List the languages people may choose",
    scope: OWN,
    answer: languages,
    handle: async (ctx) => ({ languages: [...(await allowedLanguages(ctx))] }),
  }),
];
