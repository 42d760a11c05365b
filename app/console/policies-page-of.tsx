// The page of the policies of a level. It reads those of the view and, for an organization, the policies that it would
// inherit.
import type { Level } from "../../components/console/parts/level";
import { PoliciesPage } from "../../components/console/settings/policies-page";
import { POLICY_OPERATIONS, POLICY_VIEWS, policyViewIn } from "../../components/console/settings/policy";
import { pageAddress } from "../../shared/pages";
import type { PageContext } from "./page-of";
import { withHistory } from "./with-history";

export async function policiesPage(level: Level, context: PageContext, mayWrite: boolean) {
  const { viewer, organization, search } = context;
  const view = policyViewIn(search.view);
  const read = POLICY_VIEWS[view].map(async (path) => {
    const at = { kind: path };
    const found = await viewer.call(POLICY_OPERATIONS[level].read, { at });
    if (!found.ok) return [];
    const { policy } = found.body;
    const isWhole = level === "instance" || policy.isDefault;
    const above = isWhole ? undefined : await viewer.call(POLICY_OPERATIONS.organization.inherited, { at });
    return [{ path, policy, inherited: above?.ok ? above.body.policy : undefined }];
  });
  const address = pageAddress(level === "instance" ? "instance_policies" : "policies", organization.id);
  const policies = (await Promise.all(read)).flat();
  return withHistory(
    context,
    { type: "policies" },
    <PoliciesPage {...{ level, address, view, policies, mayWrite }} />,
    level,
  );
}
