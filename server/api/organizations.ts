/** Organizations: the caller's own at `/orgs/me`, all of them at instance level. */
import { z } from "zod";
import type { Context } from "../context";
import { changeDirectory } from "../directory/change";
import * as field from "../directory/fields";
import { changeInstance, findInstance } from "../directory/instance";
import { comparable, comparableDomain } from "../directory/names";
import { noSuchOrganization } from "../directory/not-found";
import {
  changeOrganization,
  createOrganization,
  removeOrganization,
  setOrganizationState,
} from "../directory/organization/organization";
import { toDetails } from "../events/record";
import { type ApiError, isApiError } from "../protocol/api-error";
import {
  allOrganizations,
  countOrganizations,
  findOrganization,
  findOrganizationByDomain,
  isOrganizationFree,
  listOrganizations,
  matchOrganizations,
  type ShownOrganization,
} from "../storage/organization-list";
import { readOrganization } from "../storage/organizations";
import { LANGUAGES, parseLanguage } from "../texts/languages";
import { changedAnswer, detailsAnswer } from "./answers";
import { listAnswer, searchBody, textQuery, toTextMatch } from "./lists";
import { type Operation, operation } from "./operation";
import { changed, details, listOf } from "./schemas";

const { strict } = field;
const STATES = { active: "ORG_STATE_ACTIVE", inactive: "ORG_STATE_INACTIVE" } as const;
const orgState = z.enum(["ORG_STATE_ACTIVE", "ORG_STATE_INACTIVE"]);

const organization = z
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

function toOrganization(row: ShownOrganization, defaultId: string | null): z.input<typeof organization> {
  const { id, name, state, primaryDomain, defaultLanguage } = row;
  return {
    ...{ id, details: toDetails(row), state: STATES[state], name, primaryDomain: primaryDomain ?? "" },
    ...(defaultLanguage !== null && { defaultLanguage }),
    isDefault: id === defaultId,
  };
}

async function shownAnswer(ctx: Context, row: ShownOrganization | undefined) {
  if (!row) return noSuchOrganization();
  return { org: toOrganization(row, (await findInstance(ctx)).defaultOrganizationId) };
}

const language = z
  .string()
  .refine((tag) => parseLanguage(tag) !== undefined, { error: `must be one of ${LANGUAGES.join(", ")}` })
  .transform((tag) => parseLanguage(tag) as string);

const tag = "Organizations";
const ON_INSTANCE = { level: "instance", permission: "iam.read" } as const;
const READ = { level: "organization", permission: "org.read" } as const;
const WRITE = { level: "organization", permission: "org.write", over: "nobody" } as const;
const ON_EVERYBODY = { ...WRITE, over: "everybody" } as const;

const nothing = strict({});

function stateOperation(id: string, verb: string, state: "active" | "inactive", summary: string): Operation {
  return operation({
    ...{ id, method: "POST", path: `/management/v1/orgs/me/_${verb}`, tag, summary, scope: ON_EVERYBODY },
    ...{ body: nothing, bodyIsOptional: true, answer: changed },
    async handle(ctx, { organizationId, origin }) {
      return detailsAnswer(await setOrganizationState(ctx, organizationId, state, origin));
    },
  });
}

export const organizationOperations: readonly Operation[] = [
  operation({
    ...{ id: "AddOrg", method: "POST", path: "/management/v1/orgs", tag },
    summary: "Add an organization; the caller becomes its owner",
    scope: { level: "organization", permission: "org.create" },
    body: strict({ name: field.name, id: field.identifier.optional() }),
    answer: z.object({ id: z.string(), primaryDomain: z.string(), details }),
    async handle(ctx, { body, caller, origin }) {
      const made = await createOrganization(ctx, { ...body, ownerId: caller.userId }, origin);
      return isApiError(made) ? made : { ...made, ...(await changedAnswer(ctx, "organization", made.id)) };
    },
  }),
  operation({
    ...{ id: "GetMyOrg", method: "GET", path: "/management/v1/orgs/me", tag },
    summary: "Read the organization",
    scope: READ,
    answer: organizationAnswer,
    handle: async (ctx, { organizationId }) => shownAnswer(ctx, await findOrganization(ctx.db, organizationId)),
  }),
  operation({
    ...{ id: "UpdateOrg", method: "PUT", path: "/management/v1/orgs/me", tag },
    summary: "Rename the organization, or set the language of its people who prefer none",
    scope: WRITE,
    body: strict({ name: field.name.optional(), defaultLanguage: language.nullable().optional() }),
    answer: changed,
    async handle(ctx, { body, organizationId, origin }) {
      const refusal = await changeDirectory(ctx, async (tx): Promise<ApiError | undefined> => {
        const stored = await readOrganization(tx, organizationId);
        if (!stored) return noSuchOrganization();
        await changeOrganization(ctx, tx, stored, body, origin);
        return undefined;
      });
      return refusal ?? changedAnswer(ctx, "organization", organizationId);
    },
  }),
  stateOperation("DeactivateOrg", "deactivate", "inactive", "Keep the people and apps of the organization out"),
  stateOperation("ReactivateOrg", "reactivate", "active", "Let the people and apps of the organization in again"),
  operation({
    ...{ id: "RemoveOrg", method: "DELETE", path: "/management/v1/orgs/me", tag },
    summary: "Remove the organization with everything in it",
    scope: { level: "organization", permission: "org.delete", over: "everybody" },
    answer: changed,
    async handle(ctx, { organizationId, origin }) {
      return detailsAnswer(await removeOrganization(ctx, organizationId, origin));
    },
  }),
  operation({
    ...{ id: "GetOrgByDomainGlobal", method: "GET", path: "/management/v1/global/orgs/_by_domain", tag },
    summary: "Find the organization that has verified a domain",
    scope: ON_INSTANCE,
    query: strict({ domain: field.domain }),
    answer: organizationAnswer,
    handle: async (ctx, { query }) => shownAnswer(ctx, await findOrganizationByDomain(ctx.db, query.domain)),
  }),
  operation({
    ...{ id: "ListOrgs", method: "POST", path: "/admin/v1/orgs/_search", tag },
    summary: "Search all organizations, by name",
    scope: ON_INSTANCE,
    body: searchBody({
      idQuery: strict({ id: field.identifier }),
      nameQuery: textQuery("name"),
      domainQuery: textQuery("domain"),
      stateQuery: strict({ state: orgState }),
    }),
    bodyIsOptional: true,
    answer: listOf(organization),
    async handle(ctx, { body }) {
      const { defaultOrganizationId } = await findInstance(ctx);
      const where = allOrganizations();
      for (const { idQuery, nameQuery, domainQuery, stateQuery } of body.queries ?? []) {
        matchOrganizations(where, {
          id: idQuery?.id,
          name: nameQuery && matchOfName(nameQuery.name, nameQuery.method),
          domain: domainQuery && toTextMatch(domainQuery.domain, domainQuery.method),
          state: stateQuery && (stateQuery.state === STATES.active ? "active" : "inactive"),
        });
      }
      return listAnswer(ctx, body.query, {
        places: ["string", "string"],
        page: ({ ascending, ...wanted }) =>
          listOrganizations(ctx.db, where, { ...wanted, descending: ascending === false }),
        count: () => countOrganizations(ctx.db, where),
        items: (rows) => rows.map((row) => toOrganization(row, defaultOrganizationId)),
      });
    },
  }),
  operation({
    ...{ id: "IsOrgUnique", method: "GET", path: "/admin/v1/orgs/_is_unique", tag },
    summary: "Check whether the name and the domain of an organization are free",
    scope: ON_INSTANCE,
    query: strict({ name: field.name.optional(), domain: field.domain.optional() }),
    answer: z.object({ isUnique: z.boolean() }),
    async handle(ctx, { query: { name, domain } }) {
      const nameKey = name === undefined ? undefined : comparable(name);
      return { isUnique: await isOrganizationFree(ctx.db, { nameKey, domain: domain && comparableDomain(domain) }) };
    },
  }),
  operation({
    ...{ id: "GetDefaultOrg", method: "GET", path: "/admin/v1/orgs/default", tag },
    summary: "Read the default organization",
    scope: ON_INSTANCE,
    answer: organizationAnswer,
    async handle(ctx) {
      const { defaultOrganizationId } = await findInstance(ctx);
      return shownAnswer(ctx, await findOrganization(ctx.db, defaultOrganizationId ?? ""));
    },
  }),
  operation({
    ...{ id: "SetDefaultOrg", method: "PUT", path: "/admin/v1/orgs/default/:orgId", tag },
    summary: "Make an organization the default one",
    scope: { level: "instance", permission: "iam.write", over: "nobody" },
    answer: changed,
    async handle(ctx, { parameters: { orgId = "" }, origin }) {
      const instance = await findInstance(ctx);
      const refusal = await changeDirectory(ctx, async (tx): Promise<ApiError | undefined> => {
        if (!(await readOrganization(tx, orgId))) return noSuchOrganization();
        await changeInstance(ctx, tx, instance, { defaultOrganizationId: orgId }, origin);
        return undefined;
      });
      return refusal ?? changedAnswer(ctx, "instance", instance.id);
    },
  }),
  operation({
    ...{ id: "GetOrgByID", method: "GET", path: "/admin/v1/orgs/:orgId", tag },
    summary: "Read any organization",
    scope: ON_INSTANCE,
    answer: organizationAnswer,
    handle: async (ctx, { parameters }) => shownAnswer(ctx, await findOrganization(ctx.db, parameters.orgId ?? "")),
  }),
  operation({
    ...{ id: "RemoveAnyOrg", method: "DELETE", path: "/admin/v1/orgs/:orgId", tag },
    summary: "Remove any organization with everything in it",
    scope: { level: "instance", permission: "iam.write", over: "all" },
    answer: changed,
    async handle(ctx, { parameters: { orgId = "" }, origin }) {
      return detailsAnswer(await removeOrganization(ctx, orgId, origin));
    },
  }),
];

/** Letter case and look-alike forms do not matter, as in all comparisons of names. */
function matchOfName(name: string, method: Parameters<typeof toTextMatch>[1]) {
  const wanted = toTextMatch(name, method);
  return wanted.ignoreCase ? { ...wanted, text: comparable(name) } : wanted;
}
