/** Operations on several users: invited, given roles, deactivated, reactivated, removed. */
import type { Memory, Step } from "./step";

const invited = ({ invitedId = "" }: Memory) => ({ userIds: [invitedId] });
const one = ({ invitedId = "" }: Memory) => ({ userId: invitedId });
const as = "colleague";

export const severalSteps: Step[] = [
  { operation: "InviteUsers", as, body: { emails: ["joan@mail.test", "bob@acme.test"], dryRun: true } },
  {
    operation: "InviteUsers",
    as,
    body: { emails: ["joan@mail.test"], projectId: "p1", roleKeys: [] },
    keep: ({ results }, memory) => {
      memory.invitedId = results[0].userId;
    },
  },
  { operation: "ListUsers", as, body: { queries: [{ invitationQuery: { isPending: true } }] } },
  { operation: "BulkSendInvitations", as, body: invited },
  { operation: "RevokeInviteCode", as, parameters: one },
  { operation: "BulkRevokeInvitations", as, body: invited },
  { operation: "BulkGiveRoles", as, body: { userIds: ["u-somebody"], projectId: "p1", roleKeys: [] } },
  { operation: "BulkDeactivateUsers", as, body: invited },
  { operation: "BulkReactivateUsers", as, body: invited },
  { operation: "BulkUnlockUsers", as, body: invited },
  { operation: "BulkRemoveUsers", as, body: invited },
];
