import type { App } from "../../components/console/apps/app";
import type { ListAnswer } from "../../components/console/list";
import type { Statistics } from "../../components/console/operations/statistics";
import { OverviewPage } from "../../components/console/overview";
import { mayCreateApp } from "./may-create-app";
import { pageOf } from "./page-of";

const { metadata, Page } = pageOf("overview", async ({ desk, organization }) => {
  const level = desk.permissions.has("iam.read") ? "admin" : "management";
  const [overview, statistics, apps] = await Promise.all([
    desk.overview(),
    desk.call<Statistics>("GET", `/${level}/v1/statistics`),
    desk.pages.includes("apps")
      ? desk.call<ListAnswer<App>>("POST", "/management/v1/apps/_search", { body: { query: { limit: 1 } } })
      : undefined,
  ]);
  const visible = apps?.ok ? Number(apps.body.details.totalResult) : undefined;
  return (
    <OverviewPage
      {...overview}
      appCount={overview.appCount ?? (statistics.ok ? statistics.body.counts.apps : visible)}
      mayCreateApp={mayCreateApp(organization)}
      organizationId={organization.id}
      pages={desk.pages}
      statistics={statistics.ok ? statistics.body : undefined}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
