"use client";
// The changes that saving the draft of a brand would make, and the pictures that could not be restored afterwards.
import { useTranslations } from "next-intl";
import { type ShownChange, WillChange } from "../forms/will-change";
import { BRAND_PICTURES, COLOURS, type LabelPolicy, type Looks } from "./brand";
import type { DraftPictures, Earlier } from "./brand-drafts";

export interface BrandChangesProps {
  before: Looks;
  after: Looks;
  brand: LabelPolicy;
  pictures: DraftPictures;
  earlier: Earlier;
}

export function BrandChanges({ before, after, brand, pictures, earlier }: BrandChangesProps) {
  const t = useTranslations();
  const change = (key: string, label: string, was: string, is: string): ShownChange[] =>
    was === is ? [] : [{ key, label, before: [was], after: [is] }];
  const colours = COLOURS.flatMap((name) => [name, `${name}Dark` as const]).flatMap((name) =>
    change(name, t(`settings.by.colour.${name}`), before[name], after[name]),
  );
  const mode = ({ themeMode }: Looks) => t(`settings.by.themeMode.${themeMode}`);
  const mark = ({ disableWatermark }: Looks) => t(disableWatermark ? "settings.off" : "settings.on");
  const changed = BRAND_PICTURES.flatMap(({ name, url }): ShownChange[] => {
    const picture = pictures[name];
    if (picture === undefined) return [];
    const isGone = brand[url] !== undefined && name in earlier && earlier[name] === undefined;
    return [
      {
        key: name,
        label: t(`settings.by.picture.${name}`),
        before: [brand[url] === undefined ? t("settings.nothing") : t("settings.currentPicture")],
        after: [picture === "removed" ? t("settings.nothing") : t("settings.newPicture")],
        notes: isGone ? [t("settings.pictureGone")] : [],
      },
    ];
  });
  return (
    <WillChange
      heading="h2"
      changes={[
        ...changed,
        ...colours,
        ...change("themeMode", t("settings.themeMode"), mode(before), mode(after)),
        ...change("mark", t("settings.showProduct"), mark(before), mark(after)),
      ]}
    />
  );
}
