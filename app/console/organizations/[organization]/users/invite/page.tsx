import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { InvitePeople } from "../../../../../../components/console/directory/invite-people";
import { pageAddress } from "../../../../../../shared/pages";
import { pageOf } from "../../../../page-of";

const { metadata, Page } = pageOf("users", async ({ organization }) => {
  if (!organization.permissions.has("user.write")) notFound();
  const t = await getTranslations();
  return (
    <>
      <p className="back">
        <a href={pageAddress("users", organization.id)}>{t("pages.users")}</a>
      </p>
      <h1>{t("directory.invitePeople")}</h1>
      <p className="lead">{t("directory.inviteLead")}</p>
      <InvitePeople organizationId={organization.id} mayGive={organization.permissions.has("user.grant.write")} />
    </>
  );
});
export const generateMetadata = metadata;
export default Page;
