import { notFound } from "next/navigation";
import { NewUserPage } from "../../../../../../components/console/directory/new-user-page";
import { GetMyOrg } from "../../../../../../shared/generated/operations";
import { pageOf } from "../../../../page-of";

const { metadata, Page } = pageOf("users", async ({ viewer, organization }) => {
  if (!organization.permissions.has("user.write")) notFound();
  const found = await viewer.call(GetMyOrg);
  const domain = found.ok ? found.body.org.primaryDomain : undefined;
  return <NewUserPage organizationId={organization.id} domain={domain} />;
});
export const generateMetadata = metadata;
export default Page;
