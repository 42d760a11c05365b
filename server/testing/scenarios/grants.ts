/** What users are granted of a project: given, changed, stopped, taken away. */
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
