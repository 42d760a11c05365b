"use client";
// One picture of a brand, which can be dropped, chosen or removed; it is saved with the rest of the draft.
import { useTranslations } from "next-intl";
import { type DragEvent, useId, useState } from "react";
import { useTurn } from "../calls/use-turn";
import { MAX_PICTURE_BYTES, type PictureSlug } from "./brand";
import { type ChosenPicture, readChosenPicture } from "./read-logo";

export interface BrandPictureProps {
  name: PictureSlug;
  isDark: boolean;
  source: string | undefined;
  mayWrite: boolean;
  onChoose(chosen: ChosenPicture): void;
  onRemove(): void;
}

export function BrandPicture({ name, isDark, source, mayWrite, onChoose, onRemove }: BrandPictureProps) {
  const t = useTranslations();
  const id = useId();
  const [problem, setProblem] = useState<"settings.tooLarge" | "settings.noPicture">();
  const [isOver, setOver] = useState(false);
  const label = t(`settings.by.picture.${name}`);
  const begin = useTurn();
  const choose = async (file: File | undefined) => {
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
  /** Whether a file can be dropped here now. */
  const isAccepted = ({ currentTarget, dataTransfer }: DragEvent) =>
    mayWrite && !currentTarget.closest("fieldset:disabled") && dataTransfer.types.includes("Files");
  const dragOver = (event: DragEvent) => {
    if (!isAccepted(event)) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    setOver(false);
    if (!isAccepted(event)) return;
    event.preventDefault();
    void choose(event.dataTransfer.files[0]);
  };
  // biome-ignore lint/performance/noImgElement: components do not depend on Next.js, which resizes nothing here
  const picture = source && <img src={source} alt={label} />;
  return (
    <div className={isDark ? "picture on-dark" : "picture"}>
      <p className="field-label" id={`${id}-label`}>
        {label}
      </p>
      {mayWrite && (
        <input
          type="file"
          className="hidden"
          id={id}
          accept="image/png,image/jpeg,image/webp"
          aria-labelledby={`${id}-label`}
          aria-describedby={problem ? `${id}-problem ${id}-hint` : `${id}-hint`}
          onChange={({ target }) => void choose(target.files?.[0])}
        />
      )}
      {mayWrite ? (
        <label
          htmlFor={id}
          className={isOver ? "drop-zone is-over" : "drop-zone"}
          onDragOver={dragOver}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <span className="picture-frame">{picture}</span>
          <span className="hint" id={`${id}-hint`}>
            {t("settings.dropPicture")}
          </span>
        </label>
      ) : (
        <div className="picture-frame">{picture}</div>
      )}
      {problem && (
        <p className="field-problem" role="alert" id={`${id}-problem`}>
          {t(problem)}
        </p>
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
