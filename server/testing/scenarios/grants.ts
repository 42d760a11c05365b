/** Grants of users on a project: created, changed, deactivated, removed. */
import { memberWalk } from "./members";
import type { Memory, Step } from "./step";

const projectId = "p1";
const parameters = ({ grantId = "" }: Memory) => ({ userId: "u-bob", grantId });
const keep: Step["keep"] = ({ userGrantId }, memory) => Object.assign(memory, { grantId: userGrantId });

export const grantSteps: Step[] = [
  {
    operation: "BulkAddProjectRoles",
    parameters: { projectId },
    body: { roles: [{ roleKey: "reader" }, { roleKey: "writer" }] },
  },
  {
    operation: "AddUserGrant",
    as: "colleague",
    parameters: { userId: "u-bob" },
    body: { projectId, roleKeys: ["reader"] },
    keep,
  },
  { operation: "GetUserGrantByID", parameters },
  { operation: "UpdateUserGrant", parameters, body: { roleKeys: ["reader", "writer"] } },
  {
    operation: "ListUserGrants",
    as: "colleague",
    body: { queries: [{ userIdQuery: { userId: "u-bob" } }, { roleKeyQuery: { roleKey: "writer" } }] },
  },
  { operation: "DeactivateUserGrant", parameters },
  { operation: "ReactivateUserGrant", parameters },
  { operation: "RemoveUserGrant", parameters },
  { operation: "AddUserGrant", parameters: { userId: "u-bob" }, body: { projectId, roleKeys: [] }, keep },
  { operation: "BulkRemoveUserGrant", body: ({ grantId }: Memory) => ({ grantId: [grantId] }) },
];

const granted = ({ projectGrantId = "" }: Memory) => ({ projectId, grantId: projectGrantId });
const received = (queries: object[]) => ({ organizationId: "foreign", body: { queries } });

/** A project grant, as seen by both organizations. */
export const projectGrantSteps: Step[] = [
  { operation: "AddProjectRole", parameters: { projectId }, body: { roleKey: "partner" } },
  {
    operation: "AddProjectGrant",
    as: "colleague",
    parameters: { projectId },
    body: { grantedOrgId: "foreign", roleKeys: ["partner"] },
    keep: ({ grantId }, memory) => Object.assign(memory, { projectGrantId: grantId }),
  },
  { operation: "GetProjectGrantByID", as: "colleague", parameters: granted },
  {
    operation: "ListProjectGrants",
    parameters: { projectId },
    body: { queries: [{ roleKeyQuery: { roleKey: "partner" } }] },
  },
  {
    operation: "ListAllProjectGrants",
    as: "colleague",
    body: { queries: [{ grantedOrgIdQuery: { grantedOrgId: "foreign" } }, { projectNameQuery: { name: "Shop" } }] },
  },
  {
    operation: "ListGrantedProjects",
    ...received([{ nameQuery: { name: "Shop" } }, { projectIdQuery: { projectId } }]),
  },
  { operation: "GetGrantedProjectByID", organizationId: "foreign", parameters: granted },
  ...memberWalk("ProjectGrant", "owner", ["PROJECT_GRANT_OWNER", "PROJECT_GRANT_OWNER_VIEWER"], granted),
  { operation: "DeactivateProjectGrant", parameters: granted },
  { operation: "ReactivateProjectGrant", parameters: granted, body: {} },
  { operation: "UpdateProjectGrant", parameters: granted, body: { roleKeys: [] } },
  { operation: "RemoveProjectGrant", as: "colleague", parameters: granted },
];
