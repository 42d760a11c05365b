import { SmsProvidersPage } from "../../../components/console/settings/sms-providers-page";
import { ListInstanceSMSProviders } from "../../../shared/generated/operations";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("instance_sms", async ({ viewer }) => {
  const found = await viewer.call(ListInstanceSMSProviders, { body: {} });
  const providers = found.ok ? found.body.result : [];
  const mayWrite = viewer.permissions.has("iam.policy.write");
  return <SmsProvidersPage level="instance" providers={providers} mayWrite={mayWrite} />;
});
export const generateMetadata = metadata;
export default Page;
