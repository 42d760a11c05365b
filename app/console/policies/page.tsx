import { PoliciesPage } from "../../../components/console/settings/policies-page";
import { pageOf } from "../page-of";
import { readPolicies } from "../read-policies";
import { withHistory } from "../with-history";

const { metadata, Page } = pageOf("instance_policies", async ({ viewer, organization }) =>
  withHistory(
    { viewer, organization },
    { type: "policies" },
    <PoliciesPage
      level="instance"
      policies={await readPolicies(viewer, "instance")}
      mayWrite={viewer.permissions.has("iam.policy.write")}
    />,
    "instance",
  ),
);
export const generateMetadata = metadata;
export default Page;
