"use client";
// Shows two texts as one, with insertions and deletions marked by more than colour.
import { useTranslations } from "next-intl";
import { useLanguageNames } from "../parts/known-languages";
import { isolateVariables } from "./braces";
import { type DiffPart, wordDiff } from "./word-diff";

export function Difference({ before, after, language }: { before: string; after: string; language: string }) {
  const parts = wordDiff(before, after, language);
  const direction = useLanguageNames().writingOf(language);
  return (
    <p className="difference" lang={language} dir={direction}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in order
        <Part key={index} {...part} text={direction === "rtl" ? isolateVariables(part.text) : part.text} />
      ))}
    </p>
  );
}

function Part({ kind, text }: DiffPart) {
  const t = useTranslations();
  if (kind === "same") return text;
  const Change = kind === "added" ? "ins" : "del";
  return (
    <Change>
      <span className="hidden" dir="auto">
        {kind === "added" ? t("texts.added") : t("texts.removed")}:{" "}
      </span>
      {text}
    </Change>
  );
}
