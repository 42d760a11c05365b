"use client";
// One picture of a brand, which can be replaced or removed; it is saved with the rest of the draft.
import { useTranslations } from "next-intl";
import { type ChangeEvent, useId, useState } from "react";
import { useTurn } from "../calls/use-turn";
import { MAX_PICTURE_BYTES, type PictureSlug } from "./brand";
import { type ChosenPicture, readChosenPicture } from "./read-logo";

export interface BrandPictureProps {
  name: PictureSlug;
  source: string | undefined;
  mayWrite: boolean;
  onChoose(chosen: ChosenPicture): void;
  onRemove(): void;
}

export function BrandPicture({ name, source, mayWrite, onChoose, onRemove }: BrandPictureProps) {
  const t = useTranslations();
  const id = useId();
  const [problem, setProblem] = useState<"settings.tooLarge" | "settings.noPicture">();
  const label = t(`settings.by.picture.${name}`);
  const begin = useTurn();
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (!file) return;
    const isLast = begin();
    if (file.size > MAX_PICTURE_BYTES) return setProblem("settings.tooLarge");
    const chosen = await readChosenPicture(file);
    if (!isLast()) return; // a smaller file that was chosen later has been read first
    setProblem(chosen ? undefined : "settings.noPicture");
    if (chosen) onChoose(chosen);
  };
  const remove = () => {
    begin();
    onRemove();
  };
  return (
    <div className={name.endsWith("dark") ? "picture on-dark" : "picture"}>
      <div className="picture-frame">
        {/* biome-ignore lint/performance/noImgElement: components do not depend on Next.js, which resizes nothing
            here */}
        {source && <img src={source} alt={label} />}
      </div>
      <label htmlFor={id}>{label}</label>
      {problem && (
        <p className="field-problem" role="alert" id={`${id}-problem`}>
          {t(problem)}
        </p>
      )}
      {mayWrite && (
        <input
          type="file"
          id={id}
          accept="image/png,image/jpeg,image/webp"
          aria-describedby={problem && `${id}-problem`}
          onChange={(event) => void choose(event)}
        />
      )}
      {mayWrite && source && (
        <button type="button" className="plain" id={`remove-${name}`} onClick={remove}>
          {t("settings.removePicture")}
          <span className="hidden">: {label}</span>
        </button>
      )}
    </div>
  );
}
