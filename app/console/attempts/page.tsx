import { getTranslations } from "next-intl/server";
import { attemptFilters, attemptQuery } from "../../../components/console/attempts/attempt";
import { AttemptsPage } from "../../../components/console/attempts/attempts-page";
import { PAGE_SIZE } from "../../../components/console/calls/list";
import { ListInstanceSignInAttempts } from "../../../shared/generated/operations";
import { pageAddress } from "../../../shared/pages";
import { pageOf } from "../page-of";
import { toggledColumns } from "../toggled-columns";

const { metadata, Page } = pageOf("instance_attempts", async ({ viewer, organization, search }) => {
  const t = await getTranslations();
  const filters = attemptFilters(search);
  const body = { ...attemptQuery(filters), query: { limit: PAGE_SIZE, pageToken: search.page } };
  return (
    <AttemptsPage
      title={t("pages.instance_attempts")}
      path={pageAddress("instance_attempts", organization.id)}
      organizationId={organization.id}
      answer={await viewer.call(ListInstanceSignInAttempts, { body })}
      filters={filters}
      isFirstPage={search.page === undefined}
      mayWriteUsers={viewer.permissions.has("user.write")}
      toggled={await toggledColumns("attempts")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
