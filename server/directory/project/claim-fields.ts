/** What a project defines for tokens, as zod types: scopes of its own, and the name of the flat list of roles. */
import { z } from "zod";
import { whyNoScopeName } from "../../protocol/project-scope";
import { asMessage, type Reason, said } from "../../protocol/reason";
import { whyNoRolesClaim } from "../../protocol/roles-claim";
import { languageTag, line, strict } from "../fields";

/** A request has room for 100 scopes in all. */
export const MAX_SCOPES = 50;
const MAX_LANGUAGES = 50;
/** Characters: it is read as one line of a list, by somebody who decides by it. */
const MAX_DESCRIPTION_LENGTH = 200;

/** A refinement by a rule that says what is wrong. */
function ruled(why: (value: string) => Reason | undefined) {
  return z.string().superRefine((value, issues) => {
    const reason = why(value);
    if (reason !== undefined) issues.addIssue({ code: "custom", message: asMessage(reason) });
  });
}

/** In every language of which people are asked. */
export const scopeDescriptions = z
  .record(languageTag, line(MAX_DESCRIPTION_LENGTH))
  .refine((texts) => Object.keys(texts).length <= MAX_LANGUAGES, { error: said("entries", { n: MAX_LANGUAGES }) })
  .default({})
  .meta({ description: "What people read before they let an app in, by BCP 47 tag" });

export const projectScope = strict({
  name: ruled(whyNoScopeName).meta({ description: "As apps ask for it and APIs read it; upper and lower case differ" }),
  descriptions: scopeDescriptions,
});

export const projectScopes = z
  .array(projectScope)
  .max(MAX_SCOPES)
  .superRefine((scopes, issues) => {
    for (const [index, { name }] of scopes.entries()) {
      if (scopes.findIndex((other) => other.name === name) === index) continue;
      issues.addIssue({ code: "custom", path: [index, "name"], message: said("two_scopes") });
    }
  });

/** Empty: none. */
export const rolesClaim = z.union([z.literal(""), ruled(whyNoRolesClaim)]);
