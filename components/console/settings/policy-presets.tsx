"use client";
// The presets of a policy: next to a setting, or in the place of several that hardly anyone sets one by one.
import { useTranslations } from "next-intl";
import { Segments } from "../texts/segments";
import type { PolicyField, Presets } from "./policy";
import { Inheritance } from "./policy-field";
import { type PolicyState, presetOf } from "./policy-state";

export interface PolicyPresetsProps {
  presets: Presets;
  /** The preset that the values match, or `custom`. */
  chosen: string;
  onChoose(level: string): void;
  /** The name of the preset of the level above; undefined if the policy does not say which settings are inherited. */
  inherited: string | undefined;
  isOwn: boolean;
  onInherit(): void;
}

export const CUSTOM = "custom";

export function PolicyPresets({ presets, chosen, onChoose, ...inheritance }: PolicyPresetsProps) {
  const t = useTranslations();
  const names = [...Object.keys(presets.levels), CUSTOM];
  const options = Object.fromEntries(names.map((name) => [name, t(`settings.by.preset.${name}`)]));
  const label = t(presets.text);
  const segments = <Segments name="level" label={label} value={chosen} options={options} onChoose={onChoose} />;
  if (!presets.areWhole) return segments;
  return (
    <div className="policy-field">
      <p className="field-label" aria-hidden="true">
        {label}
      </p>
      <p className="hint">{t("settings.by.hint.sessionLifetime")}</p>
      {segments}
      {chosen !== CUSTOM && <Inheritance label={label} {...inheritance} />}
    </div>
  );
}

/** Returns the names of the settings that the presets set. */
export const settingsOf = ({ levels }: Presets): readonly string[] => Object.keys(Object.values(levels)[0] ?? {});

/** Returns a function that names the preset of the values in the reader's language. */
export function usePresetText(presets: Presets | undefined): (values: PolicyState["values"]) => string | undefined {
  const t = useTranslations();
  return (values) => {
    const name = presets && presetOf({ presets }, values);
    return name && t(`settings.by.preset.${name}`);
  };
}

/** Whether the presets are shown in the place of this field. */
export const isReplaced = (presets: Presets | undefined, chosen: string, { name }: PolicyField): boolean =>
  presets?.areWhole === true && chosen !== CUSTOM && settingsOf(presets).includes(name);
