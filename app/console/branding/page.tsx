import { pageOf } from "../page-of";
import { brandingPage } from "../read-brand";
import { withHistory } from "../with-history";

const { metadata, Page } = pageOf("instance_branding", async ({ viewer, organization }) => {
  const page = await brandingPage(viewer, "instance", viewer.permissions.has("iam.policy.write"));
  return withHistory({ viewer, organization }, { type: "policies" }, page, "instance");
});
export const generateMetadata = metadata;
export default Page;
