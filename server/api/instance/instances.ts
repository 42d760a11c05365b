/** The service as the one instance that version 2 lists: it has the address BASE_URL, and no other domain. */
import { z } from "zod";
import type { Context } from "../../context";
import { identifier, line, strict } from "../../directory/fields";
import { findInstance } from "../../directory/instance";
import { notFound } from "../../protocol/api-error";
import { serviceVersion } from "../../root";
import { changedAnswer } from "../operation/answers";
import { appliedTo, isTextFound } from "../operation/filters";
import { pageInMemory, textQuery, toTextMatch } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { type ListQuery, listQuery, timestamp } from "../operation/schemas";

const READ = { tag: "Service", scope: { level: "instance", permission: "iam.read" } } as const;
const PATH = "/v2/instances";

const domain = z
  .object({
    instanceId: z.string(),
    creationDate: timestamp,
    domain: z.string(),
    primary: z.boolean(),
    generated: z.boolean(),
  })
  .meta({ id: "InstanceDomain" });
const instance = z
  .object({
    id: z.string(),
    creationDate: timestamp,
    changeDate: timestamp,
    state: z.literal("STATE_RUNNING"),
    name: z.string().meta({ description: "The host of the service" }),
    version: z.string(),
    customDomains: z.array(domain),
    domains: z.array(domain).meta({ description: "The same, as the beta of version 2 calls it" }),
  })
  .meta({ id: "Instance" });

async function readInstance(ctx: Context): Promise<z.input<typeof instance>> {
  const { id } = await findInstance(ctx);
  const { details } = await changedAnswer(ctx, "instance", id);
  const { creationDate, changeDate } = details;
  const name = new URL(ctx.config.baseUrl).hostname;
  const domains = [{ instanceId: id, creationDate, domain: name, primary: true, generated: false }];
  const version = serviceVersion();
  return { id, creationDate, changeDate, state: "STATE_RUNNING", name, version, customDomains: domains, domains };
}

const noSuchInstance = () => notFound("resource.not_found", "Nothing exists with this ID. Check it and try again.");

/** Filters are called `queries` in the beta of version 2. */
const searched = <Filters extends z.ZodRawShape>(filters: Filters) => {
  const some = z.array(strict(filters).partial()).max(20).optional();
  return strict({
    pagination: listQuery.optional(),
    sortingColumn: line(100).optional().meta({ description: "Ignored: there is one row at most" }),
    filters: some,
    queries: some,
  });
};
const domainFilters = {
  domainFilter: textQuery("domain"),
  domainQuery: textQuery("domain"),
  primaryFilter: z.boolean(),
  primaryQuery: z.boolean(),
  generatedFilter: z.boolean(),
  generatedQuery: z.boolean(),
};

/** Under the names of both versions. */
function isDomainFound(
  { domain: name, primary, generated }: z.input<typeof domain>,
  filter: Partial<z.output<z.ZodObject<typeof domainFilters>>>,
): boolean {
  const wanted = filter.domainFilter ?? filter.domainQuery;
  const isNamed = !wanted || isTextFound(name, toTextMatch(wanted.domain, wanted.method));
  const isPrimary = filter.primaryFilter ?? filter.primaryQuery ?? primary;
  const isGenerated = filter.generatedFilter ?? filter.generatedQuery ?? generated;
  return isNamed && isPrimary === primary && isGenerated === generated;
}

const paged = { pagination: z.object({ totalResult: z.string(), appliedLimit: z.string() }) };

const pageOf = <Item>(found: readonly Item[], pagination: ListQuery = {}) => ({
  page: pageInMemory(found, pagination),
  answer: { pagination: appliedTo(found.length, pagination) },
});

export const instanceListOperations: readonly Operation[] = [
  operation("GetInstance", `GET ${PATH}/:instanceId`, {
    ...READ,
    summary: "Read the instance, which is this service",
    answer: z.object({ instance }),
    async handle(ctx, { parameters }) {
      const found = await readInstance(ctx);
      return found.id === parameters.instanceId ? { instance: found } : noSuchInstance();
    },
  }),
  operation("ListInstances", `POST ${PATH}/search`, {
    ...READ,
    summary: "List the instance, which is this service",
    body: searched({
      inIdsFilter: strict({ ids: z.array(identifier) }),
      idQuery: strict({ ids: z.array(identifier) }),
      customDomainsFilter: strict({ domains: z.array(line(255)) }),
      domainQuery: strict({ domains: z.array(line(255)) }),
    }),
    bodyIsOptional: true,
    answer: z.object({ ...paged, instances: z.array(instance) }),
    async handle(ctx, { body: { pagination, filters = [], queries = [] } }) {
      const one = await readInstance(ctx);
      const isFound = [...filters, ...queries].every((filter) => {
        const ids = filter.inIdsFilter?.ids ?? filter.idQuery?.ids ?? [one.id];
        const domains = filter.customDomainsFilter?.domains ?? filter.domainQuery?.domains ?? [one.name];
        return ids.includes(one.id) && domains.includes(one.name);
      });
      const { page, answer } = pageOf(isFound ? [one] : [], pagination);
      return { ...answer, instances: page };
    },
  }),
  operation("ListCustomDomains", `POST ${PATH}/:instanceId/custom-domains/search`, {
    ...READ,
    summary: "List the domain of the instance, which is the host of the service",
    body: searched(domainFilters),
    bodyIsOptional: true,
    answer: z.object({ ...paged, domains: z.array(domain) }),
    async handle(ctx, { parameters, body: { pagination, filters = [], queries = [] } }) {
      const { id, domains } = await readInstance(ctx);
      if (id !== parameters.instanceId) return noSuchInstance();
      const found = domains.filter((one) => [...filters, ...queries].every((filter) => isDomainFound(one, filter)));
      const { page, answer } = pageOf(found, pagination);
      return { ...answer, domains: page };
    },
  }),
  operation("ListTrustedDomains", `POST ${PATH}/:instanceId/trusted-domains/search`, {
    ...READ,
    summary: "List the further domains that the service answers to: there are none",
    body: searched({ domainFilter: domainFilters.domainFilter, domainQuery: domainFilters.domainQuery }),
    bodyIsOptional: true,
    answer: z.object({ ...paged, trustedDomain: z.array(domain.omit({ primary: true, generated: true })) }),
    async handle(ctx, { parameters, body }) {
      if ((await findInstance(ctx)).id !== parameters.instanceId) return noSuchInstance();
      return { ...pageOf([], body.pagination).answer, trustedDomain: [] };
    },
  }),
];
