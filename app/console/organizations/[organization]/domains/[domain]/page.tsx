import { notFound } from "next/navigation";
import { searchForAll } from "../../../../../../components/console/calls/list";
import { DomainPage } from "../../../../../../components/console/directory/domain-page";
import { ListOrgDomains, PreviewOrgDomainClaim } from "../../../../../../shared/generated/operations";
import { pageOf } from "../../../../page-of";

const { metadata, Page } = pageOf("organization", async ({ viewer, organization, params }) => {
  const found = await viewer.call(ListOrgDomains, { body: searchForAll });
  const domain = found.ok && found.body.result.find(({ domainName }) => domainName === params.domain?.toLowerCase());
  if (!domain || !organization.permissions.has("org.write")) notFound();
  const preview =
    domain.isVerified || !domain.challenge
      ? undefined
      : await viewer.call(PreviewOrgDomainClaim, { at: { domain: domain.domainName } });
  return <DomainPage organizationId={organization.id} domain={domain} preview={preview} />;
});
export const generateMetadata = metadata;
export default Page;
