import { PoliciesPage } from "../../../components/console/settings/policies-page";
import { pageOf } from "../page-of";
import { readPolicies } from "../read-policies";

const { metadata, Page } = pageOf("instance_policies", async ({ viewer }) => (
  <PoliciesPage
    level="instance"
    policies={await readPolicies(viewer, "instance")}
    mayWrite={viewer.permissions.has("iam.policy.write")}
  />
));
export const generateMetadata = metadata;
export default Page;
