import { pageOf } from "../../../page-of";
import { brandingPage } from "../../../read-brand";

const { metadata, Page } = pageOf("branding", ({ viewer, organization }) =>
  brandingPage(viewer, "organization", organization.permissions.has("policy.write")),
);
export const generateMetadata = metadata;
export default Page;
