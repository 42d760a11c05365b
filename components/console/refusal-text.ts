// A refusal in words: those of the answer, which come in the language of the page. Where there was no answer, ours.
import { useTranslations } from "next-intl";
import type { Problem } from "./refusal";

export function useRefusalText(): (problem: Problem) => string {
  const t = useTranslations();
  return ({ message }) => message || t("frame.failed");
}
