/** What has happened so far: two sign-ins at least. */
import type { Step } from "./step";

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
];
