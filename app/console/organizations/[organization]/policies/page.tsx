import { PoliciesPage } from "../../../../../components/console/settings/policies-page";
import { pageOf } from "../../../page-of";
import { readPolicies } from "../../../read-policies";
import { withHistory } from "../../../with-history";

const { metadata, Page } = pageOf("policies", async ({ viewer, organization }) =>
  withHistory(
    { viewer, organization },
    { type: "policies" },
    <PoliciesPage
      level="organization"
      policies={await readPolicies(viewer, "organization")}
      mayWrite={organization.permissions.has("policy.write")}
    />,
  ),
);
export const generateMetadata = metadata;
export default Page;
