/** The whole service as a file, both ways. */
import type { Step } from "./step";

export const instanceSteps: Step[] = [
  { operation: "ExportInstance" },
  { operation: "ExportInstanceByPost" },
  {
    operation: "ApplyInstance",
    query: { dryRun: "true" },
    body: { organizations: [{ id: "acme", name: "ACME", projects: [{ name: "New" }] }] },
  },
  { operation: "ApplyInstance", body: { instance: { defaultLanguage: "de" } } },
];
