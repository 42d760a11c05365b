/** Applies what the bootstrap file decides about apps for the users of an organization. */
import { readDecision } from "../directory/client-decision/names";
import { decideAboutClientIn } from "../oidc/client-decisions";
import { isApiError } from "../protocol/api-error";
import { failAt } from "./mistakes";
import type { Run } from "./run";
import type { OrganizationEntry } from "./schema";

export async function applyClientDecisions(
  { ctx, report }: Run,
  organizationId: string,
  entries: NonNullable<OrganizationEntry["clientDecisions"]>,
  path: string,
): Promise<void> {
  for (const [index, entry] of entries.entries()) {
    const made = await decideAboutClientIn(ctx, organizationId, readDecision(entry));
    if (isApiError(made)) failAt([`${path}[${index}]`, made.field].filter(Boolean).join("."), made.message);
    const label = `decision about ${entry.value}`;
    if (made.change === "made") report.created.push(label);
    if (made.change === "changed") report.updated.push(label);
  }
}
