"use client";
// A duration of an app, such as the lifetime of its tokens: the service's default, or a number with a unit.
import { useFormatter, useTranslations } from "next-intl";
import { useField } from "../forms/form-state";
import { DurationField } from "../settings/duration-field";
import { formatDuration } from "../settings/format-duration";

export interface LifetimeFieldProps {
  name: string;
  label: string;
  /** A duration such as `1h`; undefined for the service's default. */
  value: string | undefined;
  /** The suggestion for a custom value. */
  usual: string;
  hint?: string;
  /** The name of no value of its own; the service's default if it is left out. */
  absent?: string;
  /** The minimum in seconds. */
  min?: number;
}

const INHERITED = "inherited";
/** Ten years in seconds. */
const MAX = 315_360_000;

export function LifetimeField({ name, label, value, usual, hint, absent, min = 1 }: LifetimeFieldProps) {
  const t = useTranslations();
  const format = useFormatter();
  const inherited = absent ?? t("settings.fromService");
  const field = useField<string>({
    name,
    label,
    initial: value ?? INHERITED,
    toJson: (chosen) => (chosen === INHERITED || chosen === "" ? undefined : chosen),
    inWords: (chosen) => [formatDuration(format, chosen) || inherited],
  });
  return (
    <DurationField
      name={name}
      label={label}
      hint={hint}
      value={field.value}
      min={min}
      max={MAX}
      onChange={field.change}
      without={{ value: INHERITED, label: inherited }}
      usual={usual}
    />
  );
}
