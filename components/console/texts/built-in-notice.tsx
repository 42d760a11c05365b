"use client";
// Shows that a built-in text has changed since it was customized.
import { useTranslations } from "next-intl";
import type { SavedText } from "./text-state";

export function BuiltInNotice({ saved, onReview }: { saved: SavedText | undefined; onReview(): void }) {
  const t = useTranslations();
  const count = Object.keys(saved?.outdated ?? {}).length;
  if (count === 0) return null;
  return (
    <p className="banner">
      {t("texts.builtInChanged", { count })}{" "}
      <button type="button" className="plain" id="review-built-in" onClick={onReview}>
        {t("texts.builtInReview")}
      </button>
    </p>
  );
}

export function BuiltInBadge() {
  const t = useTranslations();
  return <span className="state warned">{t("texts.builtInBadge")}</span>;
}
