import { getTranslations } from "next-intl/server";
import { attemptFilters, attemptQuery } from "../../../../../components/console/attempts/attempt";
import { AttemptsPage } from "../../../../../components/console/attempts/attempts-page";
import { PAGE_SIZE } from "../../../../../components/console/calls/list";
import { pageAddress } from "../../../../../shared/pages";
import { pageOf } from "../../../page-of";
import { readAttemptPage } from "../../../read-attempts";
import { toggledColumns } from "../../../toggled-columns";

const { metadata, Page } = pageOf("attempts", async ({ viewer, organization, search }) => {
  const t = await getTranslations();
  const filters = attemptFilters(search);
  const query = { limit: PAGE_SIZE, pageToken: search.page };
  return (
    <AttemptsPage
      title={t("pages.attempts")}
      path={pageAddress("attempts", organization.id)}
      organizationId={organization.id}
      answer={await readAttemptPage(viewer, organization, { ...attemptQuery(filters), query })}
      filters={filters}
      isFirstPage={search.page === undefined}
      mayWriteUsers={organization.permissions.has("user.write")}
      toggled={await toggledColumns("attempts")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
