"use client";
// The lifetime of an app's tokens: the service's default, or a number with a unit.
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
}

const INHERITED = "inherited";
/** Ten years in seconds. */
const MAX = 315_360_000;

export function LifetimeField({ name, label, value, usual }: LifetimeFieldProps) {
  const t = useTranslations();
  const format = useFormatter();
  const inherited = t("settings.fromService");
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
      value={field.value}
      min={1}
      max={MAX}
      onChange={field.change}
      without={{ value: INHERITED, label: inherited }}
      usual={usual}
    />
  );
}
