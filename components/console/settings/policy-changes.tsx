"use client";
// The changes that saving a policy would make, in words. Settings that a preset replaces are one change.
import { useTranslations } from "next-intl";
import { type ShownChange, WillChange } from "../forms/will-change";
import type { Presets } from "./policy";
import { settingsOf, usePresetText } from "./policy-presets";
import type { PolicyState, SettingChange } from "./policy-state";
import { useValueText } from "./policy-values";

export interface PolicyChangesProps {
  changes: readonly SettingChange[];
  presets: Presets | undefined;
  /** The values of the policy as saved, and as they would be. */
  before: PolicyState["values"];
  after: PolicyState["values"];
}

export function PolicyChanges({ changes, presets, before, after }: PolicyChangesProps) {
  const t = useTranslations();
  const textOf = useValueText();
  const presetText = usePresetText(presets);
  const [was, is] = [presetText(before), presetText(after)];
  const isOne = presets?.areWhole === true && was !== undefined && is !== undefined;
  const replaced = isOne ? settingsOf(presets) : [];
  const shown = changes.filter(({ field }) => !replaced.slice(1).includes(field.name));
  const inWords = ({ field, before, after, isInherited }: SettingChange): ShownChange => {
    const isWhole = isOne && replaced.includes(field.name);
    const [old, wanted] = isWhole ? [was, is] : [textOf(field, before), textOf(field, after)];
    const hasEffect = field.effect !== undefined && old !== wanted;
    return {
      key: field.name,
      label: t(isWhole ? presets.text : `settings.by.field.${field.text ?? field.name}`),
      before: old === wanted ? [] : [old],
      after: [wanted],
      notes: [
        ...(isInherited ? [t("settings.fromService")] : []),
        ...(hasEffect ? [t(`settings.by.effect.${field.effect}`)] : []),
      ],
    };
  };
  return <WillChange changes={shown.map(inWords)} />;
}
