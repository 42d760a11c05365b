import { PoliciesPage } from "../../../components/console/settings/policies-page";
import { pageOf } from "../page-of";
import { readPolicies } from "../read-policies";

const { metadata, Page } = pageOf("instance_policies", async ({ desk }) => (
  <PoliciesPage
    level="instance"
    policies={await readPolicies(desk, "instance")}
    mayWrite={desk.permissions.has("iam.policy.write")}
  />
));
export const generateMetadata = metadata;
export default Page;
