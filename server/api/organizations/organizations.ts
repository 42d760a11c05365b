/** Organizations: the caller's own at `/orgs/me`, all of them at instance level. */
import { z } from "zod";
import * as field from "../../directory/fields";
import { setDefaultOrganization, updateOrganization } from "../../directory/organization/edit";
import {
  isOrganizationNameFree,
  type ListedOrganization,
  listAllOrganizations,
  type OrganizationWanted,
  readDefaultOrganization,
  readListedOrganization,
  readOrganizationOfDomain,
} from "../../directory/organization/list";
import {
  createOrganization,
  removeOrganization,
  setOrganizationState,
} from "../../directory/organization/organization";
import { type OriginContext, toDetails } from "../../events/record";
import { revokingProviderTokens } from "../../oidc/revoke-provider-tokens";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { answered, changedAnswer, detailsAnswer, pagedAnswer } from "../operation/answers";
import { languageField, languageIn } from "../operation/language-field";
import { searchBody, searchedTextQuery, textQuery, toTextMatch } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { details, listOf } from "../operation/schemas";
import { firstAdmins } from "./members";

const { strict } = field;
const STATES = { active: "ORG_STATE_ACTIVE", inactive: "ORG_STATE_INACTIVE" } as const;
const orgState = z.enum(["ORG_STATE_ACTIVE", "ORG_STATE_INACTIVE"]);

export const organization = z
  .object({
    id: z.string(),
    details,
    state: orgState,
    name: z.string(),
    primaryDomain: z.string(),
    defaultLanguage: z.string().optional(),
    isDefault: z.boolean().meta({ description: "Bare login names are looked up here first" }),
  })
  .meta({ id: "Organization" });
const organizationAnswer = z.object({ org: organization });

export function toOrganization(row: ListedOrganization): z.input<typeof organization> {
  const { id, name, state, primaryDomain, defaultLanguage, isDefault } = row;
  return {
    id,
    details: toDetails(row),
    state: STATES[state],
    name,
    primaryDomain: primaryDomain ?? "",
    ...(defaultLanguage !== null && { defaultLanguage }),
    isDefault,
  };
}

async function shownAnswer(found: Promise<ListedOrganization | ApiError>) {
  const row = await found;
  return isApiError(row) ? row : { org: toOrganization(row) };
}

export const organizationSearch = searchBody({
  idQuery: strict({ id: field.identifier }),
  nameQuery: textQuery("name"),
  domainQuery: textQuery("domain"),
  stateQuery: strict({ state: orgState }),
  textQuery: searchedTextQuery,
});

export function matchesIn({ queries = [] }: z.output<typeof organizationSearch>): OrganizationWanted[] {
  return queries.map(({ idQuery, nameQuery, domainQuery, stateQuery, textQuery: searched }) => ({
    ...searched,
    id: idQuery?.id,
    name: nameQuery && toTextMatch(nameQuery.name, nameQuery.method),
    domain: domainQuery && toTextMatch(domainQuery.domain, domainQuery.method),
    state: stateQuery && (stateQuery.state === STATES.active ? "active" : "inactive"),
  }));
}

const tag = "Organizations";
const ON_INSTANCE = { tag, scope: { level: "instance", permission: "iam.read" } } as const;
const READ = { tag, scope: { level: "organization", permission: "org.read" } } as const;
const WRITE = { tag, scope: { level: "organization", permission: "org.write", target: "nobody" } } as const;
const ON_EVERYBODY = { tag, scope: { ...WRITE.scope, target: "everybody" } } as const;

const nothing = strict({});

const removeWithTokens = (ctx: OriginContext, organizationId: string) =>
  revokingProviderTokens(ctx, { organizationId }, () => removeOrganization(ctx, organizationId));

function stateOperation(id: string, verb: string, state: "active" | "inactive", summary: string): Operation {
  return operation(id, `POST /management/v1/orgs/me/_${verb}`, {
    ...ON_EVERYBODY,
    summary,
    body: nothing,
    bodyIsOptional: true,
    async handle(ctx, { organizationId }) {
      return detailsAnswer(await setOrganizationState(ctx, organizationId, state));
    },
  });
}

export const organizationOperations: readonly Operation[] = [
  operation("AddOrg", "POST /management/v1/orgs", {
    tag,
    summary: "Add an organization; the caller becomes its owner, unless administrators are named",
    scope: { level: "organization", permission: "org.create" },
    body: strict({ name: field.name, id: field.identifier.optional(), admins: firstAdmins("ORG_OWNER") }),
    answer: z.object({ id: z.string(), primaryDomain: z.string(), details }),
    handle: (ctx, { body: { admins: owners, ...body }, organizationId: from }) =>
      answered(createOrganization(ctx, { ...body, from, owners }), async (made) => ({
        ...made,
        ...(await changedAnswer(ctx, "organization", made.id)),
      })),
  }),
  operation("GetMyOrg", "GET /management/v1/orgs/me", {
    ...READ,
    summary: "Read the organization",
    answer: organizationAnswer,
    handle: (ctx, { organizationId }) => shownAnswer(readListedOrganization(ctx, organizationId)),
  }),
  operation("UpdateOrg", "PUT /management/v1/orgs/me", {
    ...WRITE,
    summary: "Rename the organization, or set the language of its users who prefer none",
    body: strict({ name: field.name.optional(), defaultLanguage: languageField.nullable().optional() }),
    async handle(ctx, { body, organizationId }) {
      const tag = body.defaultLanguage;
      const defaultLanguage = typeof tag === "string" ? await languageIn(ctx, tag, "defaultLanguage") : tag;
      if (isApiError(defaultLanguage)) return defaultLanguage;
      const wanted = { ...body, ...(defaultLanguage !== undefined && { defaultLanguage }) };
      const outcome = await updateOrganization(ctx, organizationId, wanted);
      return isApiError(outcome) ? outcome : changedAnswer(ctx, "organization", organizationId);
    },
  }),
  stateOperation(
    "DeactivateOrg",
    "deactivate",
    "inactive",
    "Deactivate the organization: its users and apps can't sign in",
  ),
  stateOperation(
    "ReactivateOrg",
    "reactivate",
    "active",
    "Reactivate the organization: its users and apps can sign in again",
  ),
  operation("RemoveOrg", "DELETE /management/v1/orgs/me", {
    tag,
    summary: "Remove the organization with everything in it",
    scope: { level: "organization", permission: "org.delete", target: "everybody" },
    async handle(ctx, { organizationId }) {
      return detailsAnswer(await removeWithTokens(ctx, organizationId));
    },
  }),
  operation("GetOrgByDomainGlobal", "GET /management/v1/global/orgs/_by_domain", {
    ...ON_INSTANCE,
    summary: "Find the organization that has verified a domain",
    query: strict({ domain: field.domain }),
    answer: organizationAnswer,
    handle: (ctx, { query }) => shownAnswer(readOrganizationOfDomain(ctx, query.domain)),
  }),
  operation("ListOrgs", "POST /admin/v1/orgs/_search", {
    ...ON_INSTANCE,
    summary: "Search all organizations, by name",
    body: organizationSearch,
    bodyIsOptional: true,
    answer: listOf(organization),
    handle: async (ctx, { body }) =>
      pagedAnswer(ctx, body.query, await listAllOrganizations(ctx, matchesIn(body)), toOrganization),
  }),
  operation("IsOrgUnique", "GET /admin/v1/orgs/_is_unique", {
    ...ON_INSTANCE,
    summary: "Check whether the name and the domain of an organization are free",
    query: strict({ name: field.name.optional(), domain: field.domain.optional() }),
    answer: z.object({ isUnique: z.boolean() }),
    handle: async (ctx, { query }) => ({ isUnique: await isOrganizationNameFree(ctx, query) }),
  }),
  operation("GetDefaultOrg", "GET /admin/v1/orgs/default", {
    ...ON_INSTANCE,
    summary: "Read the default organization",
    answer: organizationAnswer,
    handle: (ctx) => shownAnswer(readDefaultOrganization(ctx)),
  }),
  operation("SetDefaultOrg", "PUT /admin/v1/orgs/default/:orgId", {
    tag,
    summary: "Make an organization the default one",
    scope: { level: "instance", permission: "iam.write", target: "nobody" },
    handle: (ctx, { parameters: { orgId = "" } }) =>
      answered(setDefaultOrganization(ctx, orgId), (outcome) => changedAnswer(ctx, "instance", outcome.instanceId)),
  }),
  operation("GetOrgByID", "GET /admin/v1/orgs/:orgId", {
    ...ON_INSTANCE,
    summary: "Read any organization",
    answer: organizationAnswer,
    handle: (ctx, { parameters }) => shownAnswer(readListedOrganization(ctx, parameters.orgId ?? "")),
  }),
  operation("RemoveAnyOrg", "DELETE /admin/v1/orgs/:orgId", {
    tag,
    summary: "Remove any organization with everything in it",
    scope: { level: "instance", permission: "iam.write", target: "all" },
    async handle(ctx, { parameters: { orgId = "" } }) {
      return detailsAnswer(await removeWithTokens(ctx, orgId));
    },
  }),
];
