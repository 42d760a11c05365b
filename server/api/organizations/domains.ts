/** The domains of an organization, and the proof that they are its own. */
import { z } from "zod";
import * as field from "../../directory/fields";
import { comparableDomain } from "../../directory/names";
import { createChallenge, locationOfProof } from "../../directory/organization/domain-proof";
import {
  addUnverifiedDomain,
  giveUpDomain,
  type ListedDomain,
  listDomainsOf,
  preferDomain,
  previewProvenClaim,
  proveDomain,
} from "../../directory/organization/domains";
import { isApiError } from "../../protocol/api-error";
import { changedAnswer, detailsAnswer, pagedAnswer } from "../operation/answers";
import { searchBody, textQuery, toTextMatch } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { details, listOf, timestamp } from "../operation/schemas";

const { strict } = field;
const TYPES = { dns: "DOMAIN_VALIDATION_TYPE_DNS", http: "DOMAIN_VALIDATION_TYPE_HTTP" } as const;

const challenge = z.object({
  token: z.string(),
  url: z.string().meta({ description: "Where the token is expected: a TXT record, or a file" }),
});
const domain = z
  .object({
    orgId: z.string(),
    domainName: z.string(),
    isVerified: z.boolean(),
    isPrimary: z.boolean(),
    validationType: z.enum(["DOMAIN_VALIDATION_TYPE_UNSPECIFIED", ...Object.values(TYPES)]),
    creationDate: timestamp,
    challenge: challenge.optional(),
  })
  .meta({ id: "Domain" });

function toDomain(row: ListedDomain): z.input<typeof domain> {
  const { challengeType: type, challengeToken: token, isVerified } = row;
  return {
    orgId: row.organizationId,
    domainName: row.domain,
    isVerified: isVerified,
    isPrimary: row.isPrimary,
    validationType: type === null ? "DOMAIN_VALIDATION_TYPE_UNSPECIFIED" : TYPES[type],
    creationDate: new Date(row.createdAt).toISOString(),
    ...(type !== null && token !== null && !isVerified
      ? { challenge: { token, url: locationOfProof(row.domain, type, token) } }
      : {}),
  };
}

const tag = "Domains";
const PATH = "/management/v1/orgs/me/domains";
const READ = { tag, scope: { level: "organization", permission: "org.read" } } as const;
const WRITE = { tag, scope: { level: "organization", permission: "org.write", target: "nobody" } } as const;
const RENAME = { tag, scope: { ...WRITE.scope, target: "renamed" } } as const;
const noBody = { body: strict({}), bodyIsOptional: true } as const;

/** In the form in which it is stored; for anything else no domain is found. */
const domainIn = (parameters: Readonly<Record<string, string>>) => comparableDomain(parameters.domain ?? "") ?? "";

export const domainOperations: readonly Operation[] = [
  operation("AddOrgDomain", `POST ${PATH}`, {
    ...WRITE,
    summary: "Add a domain, which must still be verified",
    body: strict({ domain: field.domain }),
    async handle(ctx, { body, organizationId }) {
      const refusal = await addUnverifiedDomain(ctx, organizationId, body.domain);
      return refusal ?? changedAnswer(ctx, "organization", organizationId);
    },
  }),
  operation("ListOrgDomains", `POST ${PATH}/_search`, {
    ...READ,
    summary: "Search the domains of the organization",
    body: searchBody({ domainNameQuery: textQuery("name") }),
    bodyIsOptional: true,
    answer: listOf(domain),
    handle(ctx, { body, organizationId }) {
      const names = (body.queries ?? []).flatMap(({ domainNameQuery: wanted }) =>
        wanted ? toTextMatch(wanted.name, wanted.method) : [],
      );
      return pagedAnswer(ctx, body.query, listDomainsOf(ctx, organizationId, names), toDomain);
    },
  }),
  operation("RemoveOrgDomain", `DELETE ${PATH}/:domain`, {
    ...WRITE,
    summary: "Remove a domain",
    async handle(ctx, { parameters, organizationId }) {
      return detailsAnswer(await giveUpDomain(ctx, organizationId, domainIn(parameters)));
    },
  }),
  operation("GenerateOrgDomainValidation", `POST ${PATH}/:domain/validation/_generate`, {
    ...WRITE,
    summary: "Create a token to prove a domain with",
    description: "The previous token becomes invalid.",
    body: strict({ type: z.enum(Object.values(TYPES)) }),
    answer: challenge.extend({ details }),
    async handle(ctx, { parameters, body, organizationId }) {
      const type = body.type === TYPES.dns ? "dns" : "http";
      return createChallenge(ctx, { organizationId, domain: domainIn(parameters), type });
    },
  }),
  operation("ValidateOrgDomain", `POST ${PATH}/:domain/validation/_validate`, {
    ...WRITE,
    effort: "call",
    summary: "Verify a domain by its proof, and claim it",
    description:
      "Users of other organizations whose user names end in the domain get temporary user names and are notified.",
    ...noBody,
    async handle(ctx, { parameters, organizationId }) {
      const refusal = await proveDomain(ctx, organizationId, domainIn(parameters));
      return refusal ?? changedAnswer(ctx, "organization", organizationId);
    },
  }),
  operation("PreviewOrgDomainClaim", `GET ${PATH}/:domain/_preview_claim`, {
    ...WRITE,
    effort: "call",
    summary: "List the users who would be renamed if the domain were claimed now",
    description: "Returned only when the proof is in place, because these users belong to other organizations.",
    answer: z.object({
      totalResult: z.string(),
      users: z
        .array(z.object({ userName: z.string(), isNotified: z.boolean() }))
        .meta({ description: "The first 100; `isNotified`: whether the user has an address for the message" }),
    }),
    async handle(ctx, { parameters, organizationId }) {
      const preview = await previewProvenClaim(ctx, organizationId, domainIn(parameters));
      if (isApiError(preview)) return preview;
      const users = preview.users.map(({ userName, email }) => ({ userName, isNotified: email !== null }));
      return { totalResult: String(preview.total), users };
    },
  }),
  operation("SetPrimaryOrgDomain", `POST ${PATH}/:domain/_set_primary`, {
    ...RENAME,
    summary: "Make a domain the primary one, which completes user names",
    ...noBody,
    async handle(ctx, { parameters, organizationId }) {
      const refusal = await preferDomain(ctx, organizationId, domainIn(parameters));
      return refusal ?? changedAnswer(ctx, "organization", organizationId);
    },
  }),
];
