import type { Statistics } from "../../components/console/operations/statistics";
import { OverviewPage } from "../../components/console/overview";
import { pageOf } from "./page-of";

const { metadata, Page } = pageOf("overview", async ({ desk, organization }) => {
  const level = desk.permissions.has("iam.read") ? "admin" : "management";
  const [overview, statistics] = await Promise.all([
    desk.overview(),
    desk.call<Statistics>("GET", `/${level}/v1/statistics`),
  ]);
  return (
    <OverviewPage
      {...overview}
      appCount={overview.appCount ?? (statistics.ok ? statistics.body.counts.apps : undefined)}
      organizationId={organization.id}
      pages={desk.pages}
      statistics={statistics.ok ? statistics.body : undefined}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
