/** An organization from creation to removal, and a domain from claim to login names. */
import type { Step } from "./step";

const own = ({ orgId = "" }: Record<string, string>) => orgId;
const acme = { organizationId: "acme" };
const shop = { domain: "shop.example" };

export const organizationSteps: Step[] = [
  {
    operation: "AddOrg",
    body: { name: "Globex & Söhne" },
    keep: ({ id }, memory) => {
      memory.orgId = id;
    },
  },
  { operation: "IsOrgUnique", query: { name: "globex & söhne", domain: "globex.example" } },
  { operation: "GetMyOrg", organizationId: own },
  { operation: "UpdateOrg", organizationId: own, body: { name: "Globex", defaultLanguage: "de" } },
  { operation: "GetOrgByID", parameters: (memory) => ({ orgId: own(memory) }) },
  {
    operation: "ListOrgs",
    body: {
      query: { limit: "1", asc: false },
      queries: [{ nameQuery: { name: "GLOB", method: "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE" } }],
    },
  },
  { operation: "GetDefaultOrg" },
  { operation: "SetDefaultOrg", parameters: { orgId: "foreign" } },
  { operation: "GetOrgByDomainGlobal", query: { domain: "foreign.test" } },
  { operation: "AddOrgDomain", as: "colleague", body: shop },
  {
    operation: "GenerateOrgDomainValidation",
    as: "colleague",
    parameters: shop,
    body: { type: "DOMAIN_VALIDATION_TYPE_DNS" },
  },
  { operation: "PreviewOrgDomainClaim", as: "colleague", parameters: shop },
  { operation: "ValidateOrgDomain", as: "colleague", parameters: shop },
  { operation: "SetPrimaryOrgDomain", as: "colleague", parameters: shop },
  { operation: "ListOrgDomains", as: "colleague", body: { queries: [{ domainNameQuery: { name: "shop.example" } }] } },
  { operation: "RemoveOrgDomain", as: "colleague", parameters: { domain: "acme.test" } },
  { operation: "SetOrgMetadata", as: "colleague", parameters: { key: "plan" }, body: { value: "Z29sZA==" } },
  {
    operation: "BulkSetOrgMetadata",
    as: "colleague",
    body: {
      metadata: [
        { key: "crm", value: "NDI=" },
        { key: "sector", value: "dG95cw==" },
      ],
    },
  },
  { operation: "GetOrgMetadata", as: "colleague", parameters: { key: "plan" } },
  {
    operation: "ListOrgMetadata",
    as: "colleague",
    body: {
      query: { limit: 2 },
      queries: [{ keyQuery: { key: "C", method: "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE" } }],
    },
  },
  { operation: "RemoveOrgMetadata", as: "colleague", parameters: { key: "plan" } },
  { operation: "BulkRemoveOrgMetadata", as: "colleague", body: { keys: ["crm", "sector"] } },
  {
    operation: "SetOrganizationMetadata",
    as: "colleague",
    parameters: acme,
    body: { metadata: [{ key: "plan", value: "Z29sZA==" }] },
  },
  {
    operation: "ListOrganizationMetadata",
    as: "colleague",
    parameters: acme,
    body: { filters: [{ keyFilter: { key: "plan", method: "TEXT_FILTER_METHOD_EQUALS" } }] },
  },
  { operation: "DeleteOrganizationMetadata", as: "colleague", parameters: acme, query: { keys: "plan" } },
  { operation: "DeactivateOrg", organizationId: own, body: {} },
  { operation: "ReactivateOrg", organizationId: own },
  { operation: "RemoveOrg", organizationId: own },
  {
    operation: "SetUpOrg",
    body: {
      org: { name: "Hooli" },
      human: {
        userName: "gavin@hooli.test",
        profile: { firstName: "Gavin", lastName: "Belson" },
        email: { email: "gavin@hooli.test", isEmailVerified: true },
      },
    },
  },
  { operation: "AddOrg", body: { name: "Initech", id: "initech" } },
  { operation: "RemoveAnyOrg", parameters: { orgId: "initech" } },
  { operation: "SetPasswordHook", body: { endpoint: "http://127.0.0.1:9/verify-password" } },
  { operation: "GetPasswordHook" },
  { operation: "RemovePasswordHook" },
];
