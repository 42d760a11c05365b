// The audit log of an organization and of the whole service, with the details of the event that the address names.
import { getTranslations } from "next-intl/server";
import { PAGE_SIZE } from "../../../components/console/calls/list";
import { eventQuery, filtersOf } from "../../../components/console/history/event";
import { EventList } from "../../../components/console/history/event-list";
import { EventPanel } from "../../../components/console/history/event-panel";
import { logAddress } from "../../../components/console/history/object-pages";
import { withQuery } from "../../../components/console/lists/pager";
import type { Level } from "../../../components/console/parts/level";
import {
  ListEvents,
  ListEventTypes,
  ListInstanceEvents,
  ListInstanceEventTypes,
} from "../../../shared/generated/operations";
import type { PageContext } from "../page-of";
import { mayWriteTexts } from "../texts/texts-frame";
import { toggledColumns } from "../toggled-columns";

export async function eventLogPage(level: Level, context: PageContext) {
  const { viewer, organization, search } = context;
  const t = await getTranslations();
  const isOfAll = level === "instance";
  const filters = filtersOf(search);
  const { page: pageToken, event: position } = search;
  const list = isOfAll ? ListInstanceEvents : ListEvents;
  const body = { query: { limit: PAGE_SIZE, pageToken }, ...eventQuery(filters, Date.now()) };
  const [found, types] = await Promise.all([
    viewer.call(list, { body }),
    viewer.call(isOfAll ? ListInstanceEventTypes : ListEventTypes),
  ]);
  const listed = found.ok ? found.body.result.find((event) => event.position === position) : undefined;
  // The event of a link may be on another page of the list.
  const other = position && !listed ? await viewer.call(list, { body: { position } }) : undefined;
  const event = listed ?? (other?.ok ? other.body.result[0] : undefined);
  const path = logAddress(level, organization.id);
  return (
    <EventList
      title={isOfAll ? t("pages.instance_events") : t("pages.events")}
      level={level}
      organizationId={organization.id}
      list={found.ok ? found.body : undefined}
      refusal={found.ok ? undefined : found.refusal}
      filters={filters}
      types={types.ok ? types.body.eventTypes : []}
      pageToken={pageToken}
      openPosition={event?.position}
      panel={
        event && (
          <EventPanel
            event={event}
            path={path}
            closeHref={withQuery(path, { ...filters, page: pageToken })}
            mayWriteTexts={mayWriteTexts(level, context)}
          />
        )
      }
      toggled={await toggledColumns("events")}
    />
  );
}
