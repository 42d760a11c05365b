import { SmsProvidersPage } from "../../../../../components/console/settings/sms-providers-page";
import { ListSMSProviders } from "../../../../../shared/generated/operations";
import { pageOf } from "../../../page-of";

const { metadata, Page } = pageOf("sms", async ({ viewer, organization }) => {
  const found = await viewer.call(ListSMSProviders, { body: {} });
  const providers = found.ok ? found.body.result : [];
  const mayWrite = organization.permissions.has("policy.write");
  return <SmsProvidersPage level="organization" providers={providers} mayWrite={mayWrite} />;
});
export const generateMetadata = metadata;
export default Page;
