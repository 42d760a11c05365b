import { pageOf } from "../../../page-of";
import { brandingPage } from "../../../read-brand";
import { withHistory } from "../../../with-history";

const { metadata, Page } = pageOf("branding", async ({ viewer, organization }) => {
  const page = await brandingPage(viewer, "organization", organization.permissions.has("policy.write"));
  return withHistory({ viewer, organization }, { type: "policies" }, page);
});
export const generateMetadata = metadata;
export default Page;
