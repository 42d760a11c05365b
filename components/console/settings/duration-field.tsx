"use client";
// A duration as a number and a unit. A value that is not a duration, such as "never" for 0, is among the units.
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { LabelledField, useParts } from "../forms/inputs";
import { useServerTexts } from "../parts/server-texts";
import { type DurationUnit, durationOf, inUnits, limitIn, offeredUnits, secondsOf, unitName } from "./duration";

export interface DurationFieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
  /** A value such as `3600s`; empty while no number is typed. */
  value: string;
  /** The minimum in seconds. */
  min: number;
  max: number;
  onChange(value: string): void;
  /** The value that is not a duration, and its name; defaults to "never" if 0 is allowed. */
  without?: { value: string; label: string };
  /** The duration that is filled in when the user switches back from that value. */
  usual?: string;
}

const NEVER = "0s";

export function DurationField(props: DurationFieldProps) {
  const { name, label, hint, value, min, max, onChange, usual = "30d" } = props;
  const t = useTranslations();
  const locale = useLocale();
  const { id, problem, control } = useParts(name, hint);
  const without = props.without ?? (min === 0 ? { value: NEVER, label: t("settings.never") } : undefined);
  const isWithout = value === without?.value;
  const [shown, setShown] = useState(() => shownOf(isWithout ? usual : value));
  // The value was changed by other means than typing: a preset was chosen, or changes were discarded.
  const seconds = secondsOf(value);
  if (!isWithout && seconds >= 0 && secondsOf(durationOf(shown.typed, shown.unit)) !== seconds) {
    setShown(shownOf(value));
  }
  const text = useServerTexts(`${shown.typed} ${shown.unit}`);
  const show = (next: Shown) => {
    setShown(next);
    onChange(durationOf(next.typed, next.unit));
  };
  const choose = (wanted: string) => {
    if (wanted === "never") return onChange(without?.value ?? NEVER);
    show({ typed: isWithout ? shownOf(usual).typed : shown.typed, unit: wanted as DurationUnit });
  };
  return (
    <LabelledField id={id} label={label} hint={hint} problem={problem}>
      <div className="duration">
        {!isWithout && (
          <input
            {...control}
            type="number"
            inputMode="decimal"
            autoComplete="off"
            required
            step="any"
            min={limitIn(shown.unit, Math.max(min, 1), "up")}
            max={limitIn(shown.unit, max, "down")}
            value={shown.typed}
            onChange={({ target }) => show({ ...shown, typed: target.value })}
          />
        )}
        <select
          {...(isWithout ? control : {})}
          aria-label={isWithout ? undefined : `${label}: ${t("settings.unit")}`}
          value={isWithout ? "never" : shown.unit}
          onChange={({ target }) => choose(target.value)}
        >
          {without && <option value="never">{without.label}</option>}
          {offeredUnits(shown.unit).map((unit) => (
            <option key={unit} value={unit} suppressHydrationWarning>
              {text(() => unitName(locale, unit, Number(shown.typed) || 0))}
            </option>
          ))}
        </select>
      </div>
    </LabelledField>
  );
}

interface Shown {
  typed: string;
  unit: DurationUnit;
}

function shownOf(duration: string): Shown {
  const { count, unit } = inUnits(duration) ?? { count: "", unit: "day" as const };
  return { typed: String(count), unit };
}
