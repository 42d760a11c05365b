"use client";
// Shown after an unexpected error; the log has the details.
import { useTranslations } from "next-intl";

export default function Broken({ reset }: { error: Error; reset: () => void }) {
  const t = useTranslations();
  return (
    <>
      <h1>{t("broken.title")}</h1>
      <p>{t("broken.text")}</p>
      <p>
        <button type="button" className="primary" onClick={reset}>
          {t("broken.again")}
        </button>
      </p>
    </>
  );
}
