import { pageOf } from "../../../page-of";
import { policiesPage } from "../../../policies-page-of";

const { metadata, Page } = pageOf("policies", (context) =>
  policiesPage("organization", context, context.organization.permissions.has("policy.write")),
);
export const generateMetadata = metadata;
export default Page;
