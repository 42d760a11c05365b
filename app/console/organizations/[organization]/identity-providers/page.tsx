import { IdentityProvidersPage } from "../../../../../components/console/identity-providers/identity-providers-page";
import { ListOwnLoginPolicyIDPs, ListProviders } from "../../../../../shared/generated/operations";
import { pageAddress } from "../../../../../shared/pages";
import { pageOf } from "../../../page-of";

const { metadata, Page } = pageOf("identity_providers", async ({ viewer, organization, search }) => {
  const [found, offered] = await Promise.all([
    viewer.call(ListProviders, { body: {} }),
    viewer.call(ListOwnLoginPolicyIDPs),
  ]);
  return (
    <IdentityProvidersPage
      level="organization"
      providers={found.ok ? found.body.result : []}
      offered={offered.ok ? offered.body.result : []}
      mayWrite={organization.permissions.has("policy.write")}
      path={pageAddress("identity_providers", organization.id)}
      issuer={viewer.issuer}
      add={search.add}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
