/** A user becomes a manager at every level, gets more roles at one, and loses all. */
import type { Memory, Step } from "./step";

const bob = { userId: "u-bob" };

type Parameters = (memory: Memory) => Record<string, string>;

export function memberWalk(
  name: string,
  as: Step["as"],
  [first, second]: [string, string],
  at: Parameters = () => ({}),
): Step[] {
  const parameters = at;
  const ofBob: Parameters = (memory) => ({ ...at(memory), ...bob });
  return [
    { operation: `List${name}MemberRoles`, as, body: {} },
    { operation: `Add${name}Member`, as, parameters, body: { ...bob, roles: [first] } },
    { operation: `Update${name}Member`, as, parameters: ofBob, body: { roles: [first, second] } },
    { operation: `List${name}Members`, as, parameters, body: { queries: [{ roleQuery: { role: second } }] } },
    { operation: `Remove${name}Member`, as, parameters: ofBob },
  ];
}

export const memberSteps: Step[] = [
  ...memberWalk("IAM", "owner", ["IAM_OWNER_VIEWER", "IAM_ORG_MANAGER"]),
  ...memberWalk("Org", "colleague", ["ORG_USER_MANAGER", "ORG_OWNER"]),
  { operation: "ListAdministrators", as: "owner", body: { query: { limit: 2 } } },
  ...memberWalk("Project", "colleague", ["PROJECT_OWNER", "PROJECT_OWNER_VIEWER"], () => ({ projectId: "p1" })),
];
