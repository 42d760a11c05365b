"use client";
// One picture of a brand, which can be replaced or removed.
import { useTranslations } from "next-intl";
import { type ChangeEvent, useId, useState } from "react";
import { useOperation } from "../operation";
import { Problems } from "../problems";
import { BRAND_OPERATIONS, MAX_PICTURE_BYTES, type PICTURES } from "./brand";
import type { PolicyLevel } from "./policy";

export interface BrandPictureProps {
  name: (typeof PICTURES)[number]["name"];
  level: PolicyLevel;
  source: string | undefined;
  mayWrite: boolean;
}

export function BrandPicture({ name, level, source, mayWrite }: BrandPictureProps) {
  const t = useTranslations();
  const id = useId();
  const [isTooLarge, setTooLarge] = useState(false);
  const { setPicture, removePicture } = BRAND_OPERATIONS[level];
  const at = { picture: name };
  const upload = useOperation({ operation: setPicture, at, done: t("settings.savedDraft") });
  const removal = useOperation({ operation: removePicture, at, done: t("settings.savedDraft") });
  const label = t(`settings.by.picture.${name}`);
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    setTooLarge(file !== undefined && file.size > MAX_PICTURE_BYTES);
    if (!file || file.size > MAX_PICTURE_BYTES) return;
    const answered = await upload.start({ content: toBase64(new Uint8Array(await file.arrayBuffer())) });
    if (answered) upload.goOn(answered);
  };
  const remove = async () => {
    const answered = await removal.start();
    if (answered) removal.goOn(answered);
  };
  return (
    <div className={name.endsWith("dark") ? "picture on-dark" : "picture"}>
      <div className="picture-frame">
        {/* biome-ignore lint/performance/noImgElement: components do not know Next, which resizes nothing here */}
        {source && <img src={source} alt={label} />}
      </div>
      <label htmlFor={id}>{label}</label>
      <Problems refusal={upload.refusal ?? removal.refusal} />
      {isTooLarge && <p className="field-problem">{t("settings.tooLarge")}</p>}
      {mayWrite && (
        <input type="file" id={id} accept="image/png,image/jpeg,image/webp" onChange={(event) => void choose(event)} />
      )}
      {mayWrite && source && (
        <button type="button" className="plain" id={`remove-${name}`} onClick={() => void remove()}>
          {t("settings.removePicture")}
          <span className="hidden">: {label}</span>
        </button>
      )}
    </div>
  );
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
