/** The fields of a project that affect tokens, as zod types: its own scopes, and the name of the flat list of roles. */
import { z } from "zod";
import { whyNoScopeName } from "../../protocol/project-scope";
import { asMessage, issue, type Reason } from "../../protocol/reason";
import { MAX_PROJECT_RESOURCES, MAX_RESOURCE_LENGTH } from "../../protocol/resource";
import { whyNoRolesClaim } from "../../protocol/roles-claim";
import { languageTag, line, strict } from "../fields";

/** Limited because a request has room for 100 scopes in total. */
export const MAX_SCOPES = 50;
const MAX_LANGUAGES = 50;
/** Characters. A user reads the description as one line of a list to decide on it. */
const MAX_DESCRIPTION_LENGTH = 200;

/** Refines a string with a rule that returns the reason for a rejection. */
function ruled(why: (value: string) => Reason | undefined) {
  return z.string().superRefine((value, issues) => {
    const reason = why(value);
    if (reason !== undefined) issues.addIssue({ code: "custom", message: asMessage(reason) });
  });
}

/** Descriptions by language tag. */
export const scopeDescriptions = z
  .record(languageTag, line(MAX_DESCRIPTION_LENGTH))
  .refine((texts) => Object.keys(texts).length <= MAX_LANGUAGES, { error: issue("entries", { n: MAX_LANGUAGES }) })
  .default({})
  .meta({ description: "Texts that users read before they grant an app access, by BCP 47 tag" });

export const projectScope = strict({
  name: ruled(whyNoScopeName).meta({ description: "The scope that apps request and APIs check; case-sensitive" }),
  descriptions: scopeDescriptions,
});

export const projectScopes = z
  .array(projectScope)
  .max(MAX_SCOPES)
  .superRefine((scopes, issues) => {
    for (const [index, { name }] of scopes.entries()) {
      if (scopes.findIndex((other) => other.name === name) === index) continue;
      issues.addIssue({ code: "custom", path: [index, "name"], message: issue("two_scopes") });
    }
  });

/** Resources of a project; whether they may be used is decided with the domains of its organization (resources.ts). */
export const projectResources = z.array(z.string().max(MAX_RESOURCE_LENGTH)).max(MAX_PROJECT_RESOURCES).meta({
  description: "URIs that access tokens may be for (RFC 8707), under a domain that the organization has proven",
});

/** The name of the claim; empty for none. */
export const rolesClaim = z.union([z.literal(""), ruled(whyNoRolesClaim)]);
