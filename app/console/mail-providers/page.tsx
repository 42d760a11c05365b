import { ProvidersPage } from "../../../components/console/settings/providers";
import { ListInstanceEmailProviders } from "../../../shared/generated/operations";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("instance_mail", async ({ viewer }) => {
  const found = await viewer.call(ListInstanceEmailProviders, { body: {} });
  const providers = found.ok ? found.body.result : [];
  const mayWrite = viewer.permissions.has("iam.policy.write");
  return <ProvidersPage channel="email" level="instance" providers={providers} mayWrite={mayWrite} />;
});
export const generateMetadata = metadata;
export default Page;
