// The page of the sign-in attempts of a level.
import { getTranslations } from "next-intl/server";
import { attemptFilters, attemptQuery } from "../../components/console/attempts/attempt";
import { AttemptsPage } from "../../components/console/attempts/attempts-page";
import { PAGE_SIZE } from "../../components/console/calls/list";
import { ListInstanceSignInAttempts } from "../../shared/generated/operations";
import { pageAddress } from "../../shared/pages";
import type { PageContext } from "./page-of";
import { readAttemptPage } from "./read-attempts";
import { toggledColumns } from "./toggled-columns";

export async function attemptsPage(page: "instance_attempts" | "attempts", context: PageContext) {
  const { viewer, organization, search } = context;
  const t = await getTranslations();
  const isInstance = page === "instance_attempts";
  const filters = attemptFilters(search);
  const body = { ...attemptQuery(filters), query: { limit: PAGE_SIZE, pageToken: search.page } };
  return (
    <AttemptsPage
      title={t(`pages.${page}`)}
      path={pageAddress(page, organization.id)}
      organizationId={organization.id}
      answer={
        await (isInstance
          ? viewer.call(ListInstanceSignInAttempts, { body })
          : readAttemptPage(viewer, organization, body))
      }
      filters={filters}
      isFirstPage={search.page === undefined}
      mayWriteUsers={(isInstance ? viewer : organization).permissions.has("user.write")}
      toggled={await toggledColumns("attempts")}
    />
  );
}
