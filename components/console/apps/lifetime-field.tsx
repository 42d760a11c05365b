"use client";
// How long a token of an app lives: as the service is configured, or a number and a unit.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { DurationField } from "../settings/duration-field";

export interface LifetimeFieldProps {
  name: string;
  label: string;
  /** As in `1h`; undefined: as the service is configured. */
  value: string | undefined;
  /** What is suggested to somebody who wants another than the service's. */
  usual: string;
}

const INHERITED = "inherited";
/** Ten years, seconds. */
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
