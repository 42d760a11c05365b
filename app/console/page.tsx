import type { App } from "../../components/console/apps/app";
import type { ListAnswer } from "../../components/console/list";
import type { Statistics } from "../../components/console/operations/statistics";
import { OverviewPage } from "../../components/console/overview";
import { mayCreateApp } from "./may-create-app";
import { pageOf } from "./page-of";

const { metadata, Page } = pageOf("overview", async ({ viewer, organization }) => {
  const level = viewer.permissions.has("iam.read") ? "admin" : "management";
  const [overview, statistics, apps] = await Promise.all([
    viewer.overview(),
    viewer.call<Statistics>("GET", `/${level}/v1/statistics`),
    viewer.pages.includes("apps")
      ? viewer.call<ListAnswer<App>>("POST", "/management/v1/apps/_search", { body: { query: { limit: 1 } } })
      : undefined,
  ]);
  const visible = apps?.ok ? Number(apps.body.details.totalResult) : undefined;
  return (
    <OverviewPage
      {...overview}
      appCount={overview.appCount ?? (statistics.ok ? statistics.body.counts.apps : visible)}
      mayCreateApp={mayCreateApp(organization)}
      organizationId={organization.id}
      pages={viewer.pages}
      statistics={statistics.ok ? statistics.body : undefined}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
