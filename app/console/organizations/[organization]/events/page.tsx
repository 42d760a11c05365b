import { getTranslations } from "next-intl/server";
import { PAGE_SIZE } from "../../../../../components/console/calls/list";
import { eventQuery, filtersOf } from "../../../../../components/console/history/event";
import { EventList } from "../../../../../components/console/history/event-list";
import { ListEvents, ListEventTypes } from "../../../../../shared/generated/operations";
import { pageOf } from "../../../page-of";

const { metadata, Page } = pageOf("events", async ({ viewer, organization, search }) => {
  const t = await getTranslations();
  const filters = filtersOf(search);
  const body = { query: { limit: PAGE_SIZE, pageToken: search.page }, ...eventQuery(filters, Date.now()) };
  const [found, types] = await Promise.all([viewer.call(ListEvents, { body }), viewer.call(ListEventTypes)]);
  return (
    <EventList
      title={t("pages.events")}
      level="organization"
      organizationId={organization.id}
      list={found.ok ? found.body : undefined}
      refusal={found.ok ? undefined : found.refusal}
      filters={filters}
      types={types.ok ? types.body.eventTypes : []}
      isFirstPage={search.page === undefined}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
