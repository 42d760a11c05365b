"use client";
// The changes that saving a policy would make, in words.
import { useTranslations } from "next-intl";
import { type ShownChange, WillChange } from "../forms/will-change";
import type { SettingChange } from "./policy-state";
import { useValueText } from "./policy-values";

export function PolicyChanges({ changes }: { changes: readonly SettingChange[] }) {
  const t = useTranslations();
  const textOf = useValueText();
  const inWords = ({ field, before, after, isInherited }: SettingChange): ShownChange => {
    const [was, is] = [textOf(field, before), textOf(field, after)];
    const hasEffect = field.effect !== undefined && was !== is;
    return {
      key: field.name,
      label: t(`settings.by.field.${field.text ?? field.name}`),
      before: was === is ? [] : [was],
      after: [is],
      notes: [
        ...(isInherited ? [t("settings.fromService")] : []),
        ...(hasEffect ? [t(`settings.by.effect.${field.effect}`)] : []),
      ],
    };
  };
  return <WillChange changes={changes.map(inWords)} />;
}
