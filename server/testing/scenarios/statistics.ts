/** Figures of the service and of an organization. */
import type { Step } from "./step";

export const statisticsSteps: Step[] = [
  { operation: "GetInstanceStatistics" },
  { operation: "GetStatistics", as: "colleague" },
];
