// The audit log: who did what and when, one sentence in each row, with the details of one event next to it. It is
// read-only.

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Refusal } from "../../../shared/refusal";
import { Problems } from "../calls/problems";
import { countActive } from "../lists/filters";
import { ListPage } from "../lists/list-page";
import { withQuery } from "../lists/pager";
import type { Column } from "../lists/table";
import { TokenPager } from "../lists/token-pager";
import type { Level } from "../parts/level";
import type { AuditEvent, EventFilters, EventListAnswer as Events } from "./event";
import { EventSentence } from "./event-sentence";
import { ExportEvents } from "./export-events";
import { EventFilterFields } from "./filters";
import { LiveTail } from "./live-tail";
import { ClientName } from "./names";
import { logAddress } from "./object-pages";

export interface EventListProps {
  title: string;
  level: Level;
  /** The organization of the page's address, or the visitor's own. */
  organizationId: string;
  /** Undefined if the events could not be read. */
  list: Events | undefined;
  filters: EventFilters;
  /** Why the list could not be read. */
  refusal: Refusal | undefined;
  /** All types of events, for the filter. */
  types: readonly string[];
  /** The page of the address; undefined for the first one. */
  pageToken: string | undefined;
  /** The position of the event whose details are shown. */
  openPosition: string | undefined;
  /** Its details. */
  panel: ReactNode;
  /** The columns that the visitor has shown or hidden. */
  toggled: readonly string[];
}

export function EventList(props: EventListProps) {
  const { title, level, organizationId, list, filters, refusal, types, pageToken, openPosition, panel } = props;
  const t = useTranslations();
  const path = logAddress(level, organizationId);
  const events = list?.result ?? [];
  const isFirstPage = pageToken === undefined;
  const { type, object, actor, organization, when, from, to } = filters;
  return (
    <ListPage
      title={title}
      head={
        <>
          {isFirstPage && !refusal && <LiveTail level={level} filters={filters} newest={events[0]?.position} />}
          <ExportEvents level={level} filters={filters} />
        </>
      }
      name="events"
      toggled={props.toggled}
      path={path}
      filters={<EventFilterFields {...{ level, organizationId, filters, types, events }} />}
      activeFilters={countActive(type, object, actor, organization, when, from, to)}
      hasMoreFilters
      rows={events}
      keyOf={({ position }) => position}
      openKey={openPosition}
      empty={<p>{t("operations.noEvents")}</p>}
      columns={useColumns((position) => withQuery(path, { ...filters, page: pageToken, event: position }))}
      aside={panel}
      pager={<TokenPager path={path} query={filters} isFirstPage={isFirstPage} nextPageToken={list?.nextPageToken} />}
    >
      <Problems refusal={refusal} />
    </ListPage>
  );
}

/** @param addressOf returns the address of the log with the details of an event */
function useColumns(addressOf: (position: string) => string): Column<AuditEvent>[] {
  const t = useTranslations();
  return [
    {
      id: "event",
      label: t("history.event"),
      size: "text",
      isPlain: true,
      // One element, so that a long name in it is cut as a part of the sentence.
      cell: (event) => (
        <span className="sentence">
          <EventSentence event={event} />
        </span>
      ),
    },
    {
      id: "app",
      label: t("history.client"),
      size: "fit",
      isPlain: true,
      isMinor: true,
      choice: "shown",
      cell: ({ client }) => client && <ClientName client={client} />,
    },
    {
      id: "address",
      label: t("operations.ipAddress"),
      size: "fit",
      isPlain: true,
      isMinor: true,
      choice: "hidden",
      cell: ({ address }) => address && <bdi>{address}</bdi>,
    },
    { id: "when", label: t("history.when"), isPlain: true, date: ({ creationDate }) => creationDate },
    {
      id: "details",
      label: t("history.details"),
      size: "fit",
      isQuiet: true,
      cell: ({ position }) => (
        <a className="row-link" id={`e-${position}`} href={addressOf(position)} data-stay="">
          {t("history.details")}
        </a>
      ),
    },
  ];
}
