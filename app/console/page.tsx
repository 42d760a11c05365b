import { OverviewPage } from "../../components/console/operations/overview";
import { GetInstanceStatistics, GetStatistics, ListOrganizationApps } from "../../shared/generated/operations";
import { mayCreateApp } from "./may-create-app";
import { pageOf } from "./page-of";
import { productTitle } from "./product-title";

const { metadata, Page } = pageOf("overview", async ({ viewer, organization, timeZone }) => {
  const [overview, statistics, apps] = await Promise.all([
    viewer.overview(),
    viewer.call(viewer.permissions.has("iam.read") ? GetInstanceStatistics : GetStatistics, { query: { timeZone } }),
    viewer.pages.includes("apps") ? viewer.call(ListOrganizationApps, { body: { query: { limit: 1 } } }) : undefined,
  ]);
  const visible = apps?.ok ? Number(apps.body.details.totalResult) : undefined;
  return (
    <OverviewPage
      {...overview}
      appCount={overview.appCount ?? (statistics.ok ? statistics.body.counts.apps : visible)}
      mayCreateApp={mayCreateApp(organization)}
      organizationId={organization.id}
      pages={viewer.pages}
      isOfService={viewer.permissions.has("iam.read")}
      statistics={statistics.ok ? statistics.body : undefined}
    />
  );
});

/**
 * Sets the complete title, because the layout's template only applies to the pages below this one (Next.js:
 * title.template).
 */
export async function generateMetadata(address: Parameters<typeof metadata>[0]) {
  const [{ title }, product] = await Promise.all([metadata(address), productTitle()]);
  return { title: { absolute: `${title} – ${product}` } };
}
export default Page;
