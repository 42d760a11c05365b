// The filters of the audit log: a GET form, so that each search has an address.
import { useTranslations } from "next-intl";
import { DayFields } from "../lists/day-fields";
import type { Level } from "../parts/level";
import { type AuditEvent, type EventFilters, periods } from "./event";
import { EVENT_GROUPS, groups } from "./groups";
import { EventPickers } from "./pickers";
import { inWords } from "./sentence";

export interface EventFilterFormProps {
  /** The address of the log. */
  path: string;
  level: Level;
  organizationId: string;
  filters: EventFilters;
  types: readonly string[];
  /** The events shown, which contain the names of the selected objects. */
  events: readonly AuditEvent[];
}

export function EventFilterForm(props: EventFilterFormProps) {
  const { path, level, organizationId, filters, types, events } = props;
  const t = useTranslations();
  const { type, object, actor, organization, when } = filters;
  const actorName = events.find((event) => event.actor.id === actor)?.actor.name;
  const objectName = events.find(({ aggregate }) => aggregate.id === object)?.aggregate.name;
  const owner = events.find(({ aggregate }) => aggregate.resourceOwner === organization)?.aggregate.resourceOwnerName;
  const chosen = (id: string | undefined, name: string | undefined) => id && { value: id, label: name ?? id };
  return (
    <search>
      <form action={path} className="search-box">
        <div className="field">
          <label htmlFor="filter-type">{t("operations.what")}</label>
          <TypeSelect value={type} types={types} />
        </div>
        <EventPickers
          level={level}
          organizationId={organizationId}
          actor={chosen(actor, actorName) || undefined}
          object={chosen(object, objectName) || undefined}
          organization={chosen(organization, owner) || undefined}
        />
        <div className="field">
          <label htmlFor="filter-when">{t("history.when")}</label>
          <select id="filter-when" name="when" defaultValue={when ?? ""}>
            <option value="">{t("directory.any")}</option>
            {periods.map((period) => (
              <option key={period} value={period}>
                {t(`history.by.when.${period}`)}
              </option>
            ))}
          </select>
        </div>
        <DayFields days={filters} />
        <button type="submit">{t("frame.search")}</button>
        {Object.keys(filters).length > 0 && <a href={path}>{t("history.clear")}</a>}
      </form>
    </search>
  );
}

/** The types in words, in groups that can be selected as a whole. */
function TypeSelect({ value = "", types }: { value: string | undefined; types: readonly string[] }) {
  const t = useTranslations();
  const known = new Set<string>([...groups, ...types, ""]);
  const label = (type: string) => {
    const key = `history.by.sentence.${type}`;
    return t.has(key) ? inWords(String(t.raw(key))) : type;
  };
  const isIn = (type: string, beginning: string) => type === beginning || type.startsWith(`${beginning}.`);
  return (
    <select id="filter-type" name="type" defaultValue={value}>
      <option value="">{t("directory.any")}</option>
      {/* First segments of types that come from an address. */}
      {!known.has(value) && <option value={value}>{value}</option>}
      {groups.map((group) => (
        <optgroup key={group} label={t(`history.by.group.${group}`)}>
          <option value={group}>{t("history.allOf", { group: t(`history.by.group.${group}`) })}</option>
          {types
            .filter((type) => EVENT_GROUPS[group].some((beginning) => isIn(type, beginning)))
            .map((type) => (
              <option key={type} value={type}>
                {label(type)}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}
