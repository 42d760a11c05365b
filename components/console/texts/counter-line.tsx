"use client";
// The counter next to a field, such as "412 / 500". Screen readers only read it near and above the limit.
import { useTranslations } from "next-intl";
import { codePoints, fillOf } from "./counter";

export function TextCounter({ text, limit, label }: { text: string; limit: number; label: string }) {
  const t = useTranslations();
  const count = codePoints(text);
  const fill = fillOf(count, limit);
  return (
    <>
      <span className={`text-counter ${fill}`}>{t("texts.counter", { count, limit })}</span>
      <span className="hidden" role="status">
        {fill === "near" && t("texts.nearLimit", { field: label, limit })}
        {fill === "over" && t("texts.overLimit", { field: label, limit })}
      </span>
    </>
  );
}
