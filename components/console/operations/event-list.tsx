// The audit trail: who did what and when, with the values before and after. It is read-only.
import { useTranslations } from "next-intl";
import { Name } from "../../ui/user-text";
import { Moment } from "../moment";
import { withQuery } from "../pager";
import { Problems } from "../problems";
import type { Refusal } from "../refusal";
import { TokenPager } from "../token-pager";
import type { AuditEvent, Change, EventFilters, EventList as Events } from "./event";
import { ExportEvents, type Level } from "./export-events";

export interface EventListProps {
  title: string;
  /** The address of the page. */
  path: string;
  level: Level;
  /** Undefined if it could not be read. */
  list: Events | undefined;
  filters: EventFilters;
  /** Why the list could not be read. */
  refusal: Refusal | undefined;
  /** All types of events, to choose from. */
  types: readonly string[];
  isFirstPage: boolean;
}

export function EventList({ title, path, level, list, filters, refusal, types, isFirstPage }: EventListProps) {
  const t = useTranslations();
  const events = list?.result ?? [];
  return (
    <>
      <div className="head">
        <h1>{title}</h1>
        <ExportEvents level={level} filters={filters} />
      </div>
      <Filters path={path} filters={filters} types={types} />
      <Problems refusal={refusal} />
      {events.length === 0 ? (
        <p className="card">{t("operations.noEvents")}</p>
      ) : (
        <ol className="card events">
          {events.map((event) => (
            <li key={event.position} id={`e-${event.position}`}>
              <Entry event={event} path={path} />
            </li>
          ))}
        </ol>
      )}
      <TokenPager path={path} query={filters} isFirstPage={isFirstPage} nextPageToken={list?.nextPageToken} />
    </>
  );
}

function Entry({ event, path }: { event: AuditEvent; path: string }) {
  const t = useTranslations();
  const { position, type, aggregate, creationDate, actor, requestId, changes } = event;
  return (
    <>
      <p className="event-head">
        <a href={`${withQuery(path, { object: aggregate.id })}#e-${position}`}>
          <code>{type}</code>
        </a>
        <Moment at={Date.parse(creationDate)} />
      </p>
      <p>
        {t.rich("operations.did", {
          actor: () => (
            <a href={withQuery(path, { actor: actor.id })}>
              <Name>{actor.name ?? actor.id}</Name>
            </a>
          ),
          object: () => (
            <a href={withQuery(path, { object: aggregate.id })}>
              <Name>{aggregate.name ?? aggregate.id}</Name>
            </a>
          ),
        })}{" "}
        <span className="quiet">
          {aggregate.type}
          {requestId && ` · ${requestId}`}
        </span>
      </p>
      {type === "app.introspection.not_in_audience" && (
        <p>
          {t("operations.notInAudience", {
            client: newValueOf(changes, "clientId"),
            scope: newValueOf(changes, "scope"),
          })}
        </p>
      )}
      {changes.length > 0 && (
        <details>
          <summary>{t("operations.details")}</summary>
          <Changes changes={changes} />
        </details>
      )}
    </>
  );
}

function Changes({ changes }: { changes: readonly Change[] }) {
  const t = useTranslations();
  return (
    <dl className="changes">
      {changes.map(({ field, from, to }) => (
        <div key={field}>
          <dt>
            <code>{field}</code>
          </dt>
          <dd>
            {from !== undefined && (
              <del>
                <span className="hidden">{t("operations.before")} </span>
                {textOf(from)}
              </del>
            )}{" "}
            {to !== undefined && (
              <ins>
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

const newValueOf = (changes: readonly Change[], field: string): string =>
  textOf(changes.find((change) => change.field === field)?.to ?? "");

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function Filters({ path, filters, types }: Pick<EventListProps, "path" | "filters" | "types">) {
  const t = useTranslations();
  const field = (name: keyof EventFilters, label: string, type = "search") => (
    <div className="field">
      <label htmlFor={`filter-${name}`}>{label}</label>
      <input
        type={type}
        id={`filter-${name}`}
        name={name}
        defaultValue={filters[name]}
        list={name === "type" ? "event-types" : undefined}
        autoComplete="off"
        spellCheck={false}
      />
    </div>
  );
  return (
    <search>
      <form action={path} className="search-box">
        {field("type", t("operations.what"))}
        {field("object", t("operations.object"))}
        {field("actor", t("operations.actor"))}
        {field("from", t("operations.from"), "date")}
        {field("to", t("operations.to"), "date")}
        <datalist id="event-types">
          {types.map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
        <button type="submit">{t("frame.search")}</button>
      </form>
    </search>
  );
}
