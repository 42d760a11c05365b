// The audit log: who did what and when, in sentences, with the old and new values. It is read-only.
import { useTranslations } from "next-intl";
import type { Refusal } from "../../../shared/refusal";
import { Problems } from "../calls/problems";
import { TokenPager } from "../lists/token-pager";
import type { Level } from "../parts/level";
import { Moment } from "../parts/moment";
import { Closing } from "./closing";
import type { AuditEvent, EventFilters, EventListAnswer as Events } from "./event";
import { EventPanel } from "./event-panel";
import { EventSentence } from "./event-sentence";
import { ExportEvents } from "./export-events";
import { EventFilterForm } from "./filters";
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
  isFirstPage: boolean;
}

export function EventList(props: EventListProps) {
  const { title, level, organizationId, list, filters, refusal, types, isFirstPage } = props;
  const t = useTranslations();
  const path = logAddress(level, organizationId);
  const events = list?.result ?? [];
  return (
    <>
      <div className="head">
        <h1>{title}</h1>
        <ExportEvents level={level} filters={filters} />
      </div>
      <EventFilterForm
        path={path}
        level={level}
        organizationId={organizationId}
        filters={filters}
        types={types}
        events={events}
      />
      <Problems refusal={refusal} />
      {isFirstPage && !refusal && <LiveTail level={level} filters={filters} newest={events[0]?.position} />}
      {events.length === 0 ? (
        <p className="card">{t("operations.noEvents")}</p>
      ) : (
        <Closing>
          <ol className="card events history">
            {events.map((event) => (
              <li key={event.position} id={`e-${event.position}`}>
                <Entry event={event} path={path} />
              </li>
            ))}
          </ol>
        </Closing>
      )}
      <TokenPager path={path} query={filters} isFirstPage={isFirstPage} nextPageToken={list?.nextPageToken} />
    </>
  );
}

function Entry({ event, path }: { event: AuditEvent; path: string }) {
  const t = useTranslations();
  const { creationDate, address, client } = event;
  return (
    <>
      <p className="event-head">
        <span>
          <EventSentence event={event} />
        </span>
        <span className="quiet">
          <Moment at={Date.parse(creationDate)} />
        </span>
      </p>
      {(address || client) && (
        <p className="quiet">
          {client && <ClientName client={client} />}
          {address && client && " · "}
          {address && <bdi>{address}</bdi>}
        </p>
      )}
      <details name="event">
        <summary>{t("operations.details")}</summary>
        <EventPanel event={event} path={path} />
      </details>
    </>
  );
}
