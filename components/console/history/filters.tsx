// The filters of the audit log.
import { useTranslations } from "next-intl";
import type { Choosable } from "../forms/choosable";
import { DayFields } from "../lists/day-fields";
import { FilterSelect } from "../lists/filters";
import type { Level } from "../parts/level";
import { type AuditEvent, type EventFilters, periods } from "./event";
import { EVENT_GROUPS, type EventGroup, groups } from "./groups";
import { EventPickers, EventTypeFilter } from "./pickers";

export interface EventFilterFieldsProps {
  level: Level;
  organizationId: string;
  filters: EventFilters;
  types: readonly string[];
  /** The events shown, which contain the names of the selected objects. */
  events: readonly AuditEvent[];
}

export function EventFilterFields({ level, organizationId, filters, types, events }: EventFilterFieldsProps) {
  const t = useTranslations();
  const { type, object, actor, organization, when } = filters;
  const actorName = events.find((event) => event.actor.id === actor)?.actor.name;
  const objectName = events.find(({ aggregate }) => aggregate.id === object)?.aggregate.name;
  const owner = events.find(({ aggregate }) => aggregate.resourceOwner === organization)?.aggregate.resourceOwnerName;
  const chosen = (id: string | undefined, name: string | undefined) =>
    id === undefined ? undefined : { value: id, label: name ?? id };
  const choices = useEventTypes(types);
  return (
    <>
      <EventTypeFilter
        types={choices}
        initial={choices.find(({ value }) => value === type) ?? chosen(type, undefined)}
      />
      <FilterSelect
        name="when"
        label={t("history.when")}
        value={when}
        options={periods.map((value) => ({ value, label: t(`history.by.when.${value}`) }))}
      />
      <EventPickers
        level={level}
        organizationId={organizationId}
        actor={chosen(actor, actorName)}
        object={chosen(object, objectName)}
        organization={chosen(organization, owner)}
      />
      <DayFields days={filters} />
    </>
  );
}

/** Returns the groups, then the types of events with their groups, in words. */
function useEventTypes(types: readonly string[]): Choosable[] {
  const t = useTranslations();
  const groupName = (group: EventGroup) => t(`history.by.group.${group}`);
  const isIn = (type: string, beginning: string) => type === beginning || type.startsWith(`${beginning}.`);
  const ofGroup = (group: EventGroup) =>
    types.filter((type) => EVENT_GROUPS[group].some((beginning) => isIn(type, beginning)));
  // A type that another release has recorded has no name here.
  const nameOf = (type: string) => (t.has(`history.by.event.${type}`) ? t(`history.by.event.${type}`) : type);
  return [
    ...groups.map((group) => ({ value: group, label: t("history.allOf", { group: groupName(group) }) })),
    ...groups.flatMap((group) =>
      ofGroup(group).map((type) => ({ value: type, label: nameOf(type), detail: groupName(group) })),
    ),
  ];
}
