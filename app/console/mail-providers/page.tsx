import { InstanceEmailProvidersPage } from "../../../components/console/settings/email-providers";
import { ListInstanceEmailProviders } from "../../../shared/generated/operations";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("instance_mail", async ({ viewer }) => {
  const found = await viewer.call(ListInstanceEmailProviders, { body: {} });
  const providers = found.ok ? found.body.result : [];
  return <InstanceEmailProvidersPage providers={providers} mayWrite={viewer.permissions.has("iam.policy.write")} />;
});
export const generateMetadata = metadata;
export default Page;
