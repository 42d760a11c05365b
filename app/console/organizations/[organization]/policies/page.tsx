import { PoliciesPage } from "../../../../../components/console/settings/policies-page";
import { pageOf } from "../../../page-of";
import { readPolicies } from "../../../read-policies";

const { metadata, Page } = pageOf("policies", async ({ viewer, organization }) => (
  <PoliciesPage
    level="organization"
    policies={await readPolicies(viewer, "organization")}
    mayWrite={organization.permissions.has("policy.write")}
  />
));
export const generateMetadata = metadata;
export default Page;
