import { notFound } from "next/navigation";
import { DomainPage } from "../../../../../../components/console/directory/domain-page";
import type { ClaimPreview, Domain } from "../../../../../../components/console/directory/organization";
import { type ListAnswer, searchForAll } from "../../../../../../components/console/list";
import { pageOf } from "../../../../page-of";

const { metadata, Page } = pageOf("organization", async ({ viewer, organization, params }) => {
  const path = "/management/v1/orgs/me/domains";
  const found = await viewer.call<ListAnswer<Domain>>("POST", `${path}/_search`, { body: searchForAll });
  const domain = found.ok && found.body.result?.find(({ domainName }) => domainName === params.domain?.toLowerCase());
  if (!domain || !organization.permissions.has("org.write")) notFound();
  const preview =
    domain.isVerified || !domain.challenge
      ? undefined
      : await viewer.call<ClaimPreview>("GET", `${path}/${encodeURIComponent(domain.domainName)}/_preview_claim`);
  return <DomainPage organizationId={organization.id} domain={domain} preview={preview} />;
});
export const generateMetadata = metadata;
export default Page;
