import { pageOf } from "../page-of";
import { brandingPage } from "../read-brand";

const { metadata, Page } = pageOf("instance_branding", ({ viewer }) =>
  brandingPage(viewer, "instance", viewer.permissions.has("iam.policy.write")),
);
export const generateMetadata = metadata;
export default Page;
