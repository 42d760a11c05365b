import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ImportUsers } from "../../../../../../components/console/directory/import-users";
import { PasswordHookCard } from "../../../../../../components/console/directory/password-hook";
import { GetPasswordHook } from "../../../../../../shared/generated/operations";
import { pageAddress } from "../../../../../../shared/pages";
import { pageOf } from "../../../../page-of";

const { metadata, Page } = pageOf("users", async ({ viewer, organization }) => {
  if (!organization.permissions.has("user.write")) notFound();
  const t = await getTranslations();
  const hook = organization.permissions.has("policy.write") && (await viewer.call(GetPasswordHook));
  return (
    <>
      <p className="back">
        <a href={pageAddress("users", organization.id)}>{t("pages.users")}</a>
      </p>
      <h1>{t("directory.importUsers")}</h1>
      <ImportUsers />
      {hook && <PasswordHookCard endpoint={hook.ok ? hook.body.endpoint : undefined} />}
    </>
  );
});
export const generateMetadata = metadata;
export default Page;
