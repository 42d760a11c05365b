import { IdentityProvidersPage } from "../../../components/console/identity-providers/identity-providers-page";
import { ListInstanceProviders, ListLoginPolicyIDPs } from "../../../shared/generated/operations";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("instance_identity_providers", async ({ viewer, search }) => {
  const [found, offered] = await Promise.all([
    viewer.call(ListInstanceProviders, { body: {} }),
    viewer.call(ListLoginPolicyIDPs),
  ]);
  return (
    <IdentityProvidersPage
      level="instance"
      providers={found.ok ? found.body.result : []}
      offered={offered.ok ? offered.body.result : []}
      mayWrite={viewer.permissions.has("iam.policy.write")}
      path={"/console/identity-providers"}
      issuer={viewer.issuer}
      add={search.add}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
