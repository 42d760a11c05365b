import { pageOf } from "../page-of";
import { brandingPage } from "../read-brand";

const { metadata, Page } = pageOf("instance_branding", ({ desk }) =>
  brandingPage(desk, "instance", desk.permissions.has("iam.policy.write")),
);
export const generateMetadata = metadata;
export default Page;
