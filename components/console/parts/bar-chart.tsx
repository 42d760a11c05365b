// Counts over time as bars, and as a table for screen readers. Rendered by the server; colours come from the style
// sheet, and parts of a bar differ in more than colour.
import { useFormatter, useTranslations } from "next-intl";
import { useId } from "react";
import { Folded } from "./folded";

export interface Series {
  name: string;
  label: string;
}

export interface Day {
  /** ISO 8601, for instance 2026-11-21. */
  date: string;
  /** The counts by series name. */
  counts: Readonly<Record<string, number>>;
}

export interface BarChartProps {
  title: string;
  series: readonly Series[];
  days: readonly Day[];
}

const HEIGHT = 120;
const STEP = 20;
const GAP = 4;

export function BarChart({ title, series, days }: BarChartProps) {
  const t = useTranslations();
  const format = useFormatter();
  const id = useId();
  const sum = ({ counts }: Day) => series.reduce((total, { name }) => total + (counts[name] ?? 0), 0);
  const most = Math.max(1, ...days.map(sum));
  const total = days.reduce((all, day) => all + sum(day), 0);
  const totalOf = (name: string) => days.reduce((all, { counts }) => all + (counts[name] ?? 0), 0);
  const day = (date: string) => format.dateTime(new Date(date), { month: "short", day: "numeric", timeZone: "UTC" });
  /** One path for all bars of a series, because each element costs the browser more than its part of a path. */
  const barOf = (index: number, number: number): string => {
    const counts = days[index]?.counts ?? {};
    const heights = series.slice(0, number + 1).map(({ name }) => ((counts[name] ?? 0) / most) * (HEIGHT - GAP));
    const height = heights.at(-1) ?? 0;
    if (height === 0) return "";
    const top = HEIGHT - heights.reduce((all, one) => all + one, 0);
    return `M${index * STEP + GAP / 2} ${top}h${STEP - GAP}v${height}h${GAP - STEP}z`;
  };
  const [first, last] = [days[0]?.date, days.at(-1)?.date];
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id}>
        <strong>{title}</strong> <span className="quiet">{t("frame.inTotal", { count: total })}</span>
      </figcaption>
      <svg viewBox={`0 0 ${Math.max(1, days.length) * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {series.map(({ name }, number) => (
          <path key={name} className={`bar-${number}`} d={days.map((_, index) => barOf(index, number)).join("")} />
        ))}
      </svg>
      {first && last && (
        <p className="chart-axis quiet" aria-hidden="true">
          <span>{day(first)}</span>
          <span>{day(last)}</span>
        </p>
      )}
      {series.length > 1 && (
        <ul className="legend">
          {series.map(({ name, label }, number) => (
            <li key={name}>
              <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
                <rect className={`bar-${number}`} width="12" height="12" />
              </svg>{" "}
              {label} <span className="quiet">{format.number(totalOf(name))}</span>
            </li>
          ))}
        </ul>
      )}
      <Folded summary={t("frame.asTable")}>
        <table className="numbers">
          <caption className="hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t("frame.day")}</th>
              {series.map(({ name, label }) => (
                <th scope="col" key={name}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, counts }) => (
              <tr key={date}>
                <th scope="row">{day(date)}</th>
                {series.map(({ name }) => (
                  <td key={name}>{format.number(counts[name] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Folded>
    </figure>
  );
}
