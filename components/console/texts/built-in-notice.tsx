"use client";
// Shows that a built-in text has changed since it was customized.
import { useTranslations } from "next-intl";
import { Button } from "../parts/button";
import type { SavedText } from "./text-state";

export function BuiltInNotice({ saved, onReview }: { saved: SavedText | undefined; onReview(): void }) {
  const t = useTranslations();
  const count = Object.keys(saved?.outdated ?? {}).length;
  if (count === 0) return null;
  return (
    <p className="banner">
      {t("texts.builtInChanged", { count })}{" "}
      <Button id="review-built-in" look="plain" label={t("texts.builtInReview")} onClick={onReview} />
    </p>
  );
}

export function BuiltInBadge() {
  const t = useTranslations();
  return <span className="state warned">{t("texts.builtInBadge")}</span>;
}
