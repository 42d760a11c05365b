import { pageOf } from "../page-of";
import { policiesPage } from "../policies-page-of";

const { metadata, Page } = pageOf("instance_policies", (context) =>
  policiesPage("instance", context, context.viewer.permissions.has("iam.policy.write")),
);
export const generateMetadata = metadata;
export default Page;
