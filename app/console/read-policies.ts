// Reads the policies of a level and, for an organization, the policies that it would inherit.

import type { Level } from "../../components/console/parts/level";
import { POLICY_KINDS, POLICY_OPERATIONS, type ReadPolicy } from "../../components/console/settings/policy";
import type { Viewer } from "../../server/service/service";

export async function readPolicies(viewer: Viewer, level: Level): Promise<ReadonlyMap<string, ReadPolicy>> {
  const read = POLICY_KINDS.map(async ({ path }) => {
    const at = { kind: path };
    const found = await viewer.call(POLICY_OPERATIONS[level].read, { at });
    if (!found.ok) return [];
    const { policy } = found.body;
    const isWhole = level === "instance" || policy.isDefault;
    const above = isWhole ? undefined : await viewer.call(POLICY_OPERATIONS.organization.inherited, { at });
    return [[path, { policy, inherited: above?.ok ? above.body.policy : undefined }]] as const;
  });
  return new Map((await Promise.all(read)).flat());
}
