// All details of an event, next to the list or, on a phone, instead of it: the changes and the identifiers.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { withQuery } from "../lists/pager";
import { Moment } from "../parts/moment";
import { changedValues, textOf } from "./changes";
import type { AuditEvent, FieldChange } from "./event";
import { EventAside } from "./event-aside";
import { EventSentence } from "./event-sentence";
import { ClientName } from "./names";
import { textOfEvent } from "./object-pages";
import { RestoreText } from "./restore-text";
import { recorded } from "./sentence";

interface EventPanelProps {
  event: AuditEvent;
  /** The address of the log. */
  path: string;
  /** The address of the list without the details. */
  closeHref: string;
  /** Whether the visitor may change the text that the event is about. */
  mayWriteTexts: boolean;
}

export function EventPanel({ event, path, closeHref, mayWriteTexts }: EventPanelProps) {
  const t = useTranslations();
  const { type, aggregate, actor, changes, address, client, requestId, position, creationDate } = event;
  const text = textOfEvent(event);
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    ["history.when", <Moment key="when" at={Date.parse(creationDate)} />],
    ["history.client", client && <ClientName client={client} />],
    ["operations.ipAddress", address && <bdi>{address}</bdi>],
    ["history.kind", <code key="kind">{type}</code>],
    ["history.objectId", <code key="object">{`${aggregate.type} ${aggregate.id}`}</code>],
    ["history.actorId", <code key="actor">{actor.id}</code>],
    ["history.request", requestId && <code>{requestId}</code>],
  ];
  return (
    <EventAside key={position} position={position} closeHref={closeHref} title={<EventSentence event={event} />}>
      {aggregate.isRemoved && <p className="state bad">{t("history.removed")}</p>}
      {type === "app.introspection.not_in_audience" && (
        <p>
          {t("operations.notInAudience", {
            client: recorded(event, "clientId") ?? "",
            scope: recorded(event, "scope") ?? "",
          })}
        </p>
      )}
      <Changes changes={changes} />
      {text && (
        <div className="buttons">
          <a className="button" href={text.href}>
            {t("history.openEditor")}
          </a>
          {mayWriteTexts && CHANGES_TEXT.has(type) && <RestoreText text={text} sequence={event.sequence} />}
        </div>
      )}
      <dl className="event-facts">
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label}>
                <dt>{t(label)}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <ul className="event-links">
        <li>
          <a href={withQuery(path, { object: aggregate.id })}>{t("history.ofObject")}</a>
        </li>
        <li>
          <a href={withQuery(path, { actor: actor.id })}>{t("history.ofActor")}</a>
        </li>
        <li>
          <a href={withQuery(path, { event: position })}>{t("history.eventLink")}</a>
        </li>
      </ul>
    </EventAside>
  );
}

/** The events whose former text can be restored. */
const CHANGES_TEXT: ReadonlySet<string> = new Set([
  "message_text.set",
  "message_text.removed",
  "login_text.set",
  "login_text.removed",
]);

function Changes({ changes }: { changes: readonly FieldChange[] }) {
  const t = useTranslations();
  const values = changedValues(changes);
  if (values.length === 0) return null;
  return (
    <dl className="changes">
      {values.map(({ field, from, to, isFact }) => (
        <div key={field}>
          <dt>
            <code>{field}</code>
          </dt>
          <dd>
            {from !== undefined && (
              <del dir="auto">
                <span className="hidden">{t("operations.before")} </span>
                {textOf(from)}
              </del>
            )}{" "}
            {isFact && (
              <span className="event-fact" dir="auto">
                {textOf(to)}
              </span>
            )}
            {!isFact && to !== undefined && (
              <ins dir="auto">
                <span className="hidden">{t("operations.after")} </span>
                {textOf(to)}
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
