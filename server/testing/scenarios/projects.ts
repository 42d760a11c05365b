/** A project from creation to removal, with its roles. */
import type { Memory, Step } from "./step";

const parameters = ({ projectId = "" }: Memory) => ({ projectId });
const role = (roleKey: string) => (memory: Memory) => ({ ...parameters(memory), roleKey });
const scope = (scopeKey: string) => (memory: Memory) => ({ ...parameters(memory), scopeKey });

export const projectSteps: Step[] = [
  {
    operation: "AddProject",
    as: "colleague",
    body: { name: "Webshop", projectRoleAssertion: true },
    keep: ({ id }, memory) => Object.assign(memory, { projectId: id }),
  },
  { operation: "GetProjectByID", parameters },
  { operation: "ListProjects", as: "colleague" },
  {
    operation: "ListProjects",
    body: {
      query: { offset: 0, limit: 1, asc: true },
      queries: [
        { nameQuery: { name: "SHOP", method: "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE" } },
        { stateQuery: { state: "PROJECT_STATE_ACTIVE" } },
      ],
    },
  },
  { operation: "UpdateProject", parameters, body: { name: "Shop of webs", projectRoleCheck: true } },
  { operation: "DeactivateProject", parameters },
  { operation: "ReactivateProject", parameters, body: {} },
  {
    operation: "AddProjectRole",
    parameters,
    body: { roleKey: "team/reader", displayName: "Reader", group: "Everybody" },
  },
  {
    operation: "BulkAddProjectRoles",
    parameters,
    body: { roles: [{ roleKey: "writer" }, { roleKey: "owner of it" }] },
  },
  {
    operation: "ListProjectRoles",
    parameters,
    body: { queries: [{ keyQuery: { key: "team", method: "TEXT_QUERY_METHOD_STARTS_WITH" } }] },
  },
  {
    operation: "UpdateProjectRole",
    parameters: role("team/reader"),
    body: { displayName: "Whoever reads" },
  },
  { operation: "RemoveProjectRole", parameters: role("owner of it") },
  { operation: "AddProjectScope", parameters, body: { name: "https://webs/read", descriptions: { en: "See webs" } } },
  {
    operation: "UpdateProjectScope",
    parameters: scope("https://webs/read"),
    body: { descriptions: { en: "See all webs", de: "Alle Netze sehen" } },
  },
  { operation: "RemoveProjectScope", parameters: scope("https://webs/read") },
  { operation: "RemoveProject", as: "colleague", parameters },
];
