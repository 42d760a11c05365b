import { ProvidersPage } from "../../../../../components/console/settings/providers";
import { ListSMSProviders } from "../../../../../shared/generated/operations";
import { pageOf } from "../../../page-of";

const { metadata, Page } = pageOf("sms", async ({ viewer, organization }) => {
  const found = await viewer.call(ListSMSProviders, { body: {} });
  const providers = found.ok ? found.body.result : [];
  const mayWrite = organization.permissions.has("policy.write");
  return <ProvidersPage channel="sms" level="organization" providers={providers} mayWrite={mayWrite} />;
});
export const generateMetadata = metadata;
export default Page;
