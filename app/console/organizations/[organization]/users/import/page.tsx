import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ImportUsers } from "../../../../../../components/console/directory/import-users";
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
      <h1>{t("directory.importUsers")}</h1>
      <ImportUsers />
    </>
  );
});
export const generateMetadata = metadata;
export default Page;
