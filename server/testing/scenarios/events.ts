/** The events so far: at least two sign-ins. */
import type { Memory, Step } from "./step";

export const eventSteps: Step[] = [
  {
    operation: "ListInstanceEvents",
    body: { query: { limit: 5 }, eventTypes: ["user.signed_in", "organization"], from: "2020-01-01T00:00:00Z" },
  },
  { operation: "ListEvents", as: "colleague", body: { aggregateTypes: ["app"], aggregateId: "a-web" } },
  { operation: "ListEvents", body: { actorId: "u-ada", query: { asc: true } } },
  { operation: "ExportInstanceEvents" },
  { operation: "ExportEvents", as: "colleague", query: { format: "json", eventTypes: "app,project" } },
  { operation: "ListInstanceEventTypes" },
  { operation: "ListEventTypes" },
  {
    operation: "ListInstanceSignInAttempts",
    body: { organizationId: "acme", reason: "signed_in", from: "2020-01-01T00:00:00Z", query: { limit: 1 } },
    keep: ({ nextPageToken }, memory) => Object.assign(memory, { nextPageToken }),
  },
  {
    operation: "ListInstanceSignInAttempts",
    body: ({ nextPageToken = "" }: Memory) => ({ organizationId: "acme", query: { pageToken: nextPageToken } }),
  },
  { operation: "ListSignInAttempts", as: "colleague", body: { userId: "u-nobody", clientId: "web" } },
  { operation: "ListSignInAttempts", body: { loginName: "nobody@acme.test" } },
];
