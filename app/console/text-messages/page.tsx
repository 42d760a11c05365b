import { ProvidersPage } from "../../../components/console/settings/providers";
import { ListInstanceSMSProviders } from "../../../shared/generated/operations";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("instance_sms", async ({ viewer }) => {
  const found = await viewer.call(ListInstanceSMSProviders, { body: {} });
  const providers = found.ok ? found.body.result : [];
  const mayWrite = viewer.permissions.has("iam.policy.write");
  return <ProvidersPage channel="sms" level="instance" providers={providers} mayWrite={mayWrite} />;
});
export const generateMetadata = metadata;
export default Page;
