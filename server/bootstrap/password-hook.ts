/** Applies the password hook of an organization. Its stored key takes precedence over the file's (rule BOOTSTRAP-2). */
import { setPasswordHookIn } from "../directory/password-hook/password-hook";
import { isApiError } from "../protocol/api-error";
import { reason } from "../protocol/reason";
import { readPasswordHookRow } from "../storage/organization/password-hook";
import { failAt } from "./mistakes";
import type { Run } from "./run";
import type { OrganizationEntry } from "./schema";

export async function applyPasswordHook(
  { ctx, report, secretsMayBeMissing }: Run,
  organizationId: string,
  { endpoint, signingKey }: NonNullable<OrganizationEntry["passwordHook"]>,
  path: string,
): Promise<void> {
  const stored = await readPasswordHookRow(ctx.tx, organizationId);
  if (stored?.endpoint === endpoint) return;
  if (!stored && !signingKey) {
    if (!secretsMayBeMissing) failAt(`${path}.signingKey`, reason("required"));
    report.warnings.push(`${path}: the password hook gets no signing key; set it again before it is used`);
  }
  const key = stored ? undefined : signingKey;
  const set = await setPasswordHookIn(ctx, organizationId, { endpoint, signingKey: key });
  if (isApiError(set)) failAt(`${path}.endpoint`, set.message);
  (stored ? report.updated : report.created).push(`password hook of ${organizationId}`);
}
