/** Sessions: those of all callers so far. */
import type { Memory, Step } from "./step";

export const sessionSteps: Step[] = [
  { operation: "ListInstanceSessions", body: { queries: [{ organizationIdQuery: { organizationId: "acme" } }] } },
  {
    operation: "ListSessions",
    as: "colleague",
    body: { queries: [{ userIdQuery: { userId: "u-nobody" } }] },
    keep: ({ result }, memory) => Object.assign(memory, { sessionId: result[0].id }),
  },
  { operation: "DeleteSession", as: "colleague", parameters: ({ sessionId = "" }: Memory) => ({ sessionId }) },
];
