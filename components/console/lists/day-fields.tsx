"use client";
// The date fields of a search. The days are those of the reader's time zone, which only the browser knows. The zone is
// sent too, so that the address of the search means the same days for every reader.
import { useTranslations } from "next-intl";
import { isSameZone, zoneOf } from "../../../messages/calendar";
import { useReaderTimeZone } from "../parts/time-zone";
import { type ChosenDays, isDay } from "./days";

export function DayFields({ days }: { days: ChosenDays }) {
  const t = useTranslations();
  const own = useReaderTimeZone();
  const isChosen = isDay(days.from) || isDay(days.to);
  const chosen = zoneOf(days.zone);
  return (
    <>
      {(["from", "to"] as const).map((name) => (
        <div className="chip more" key={name} data-active={isDay(days[name]) ? "" : undefined}>
          <label htmlFor={`filter-${name}`}>{name === "from" ? t("operations.from") : t("operations.to")}</label>
          <input type="date" id={`filter-${name}`} name={name} defaultValue={days[name]} />
        </div>
      ))}
      {isChosen && !isSameZone(chosen, own) ? (
        <div className="chip" data-active="">
          <label htmlFor="filter-zone">{t("operations.timeZone")}</label>
          <select id="filter-zone" name="zone" defaultValue={chosen}>
            <option value={chosen}>{chosen}</option>
            <option value={own}>{own}</option>
          </select>
        </div>
      ) : (
        <input type="hidden" name="zone" value={own} />
      )}
    </>
  );
}
