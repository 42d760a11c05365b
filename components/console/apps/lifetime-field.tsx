"use client";
// The lifetime of an app's tokens: the service's default, or a number with a unit.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { DurationField } from "../settings/duration-field";

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
  const [chosen, setChosen] = useState(value ?? INHERITED);
  return (
    <DurationField
      name={name}
      label={label}
      value={chosen}
      min={1}
      max={MAX}
      onChange={setChosen}
      without={{ value: INHERITED, label: t("settings.fromService") }}
      usual={usual}
      said={chosen === INHERITED ? "" : chosen}
    />
  );
}
