// The policies of a level, as the APIs show them.
import { POLICY_KINDS, type Policy, type PolicyLevel } from "../../components/console/settings/policy";
import type { Viewer } from "../../server/service/service";

export async function readPolicies(viewer: Viewer, level: PolicyLevel): Promise<ReadonlyMap<string, Policy>> {
  const read = POLICY_KINDS.map(async ({ path, [level]: { read } }) => {
    const found = await viewer.call(read);
    return found.ok ? ([[path, found.body.policy]] as const) : [];
  });
  return new Map((await Promise.all(read)).flat());
}
