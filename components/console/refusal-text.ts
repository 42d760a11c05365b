// The text of a refusal: that of the answer, in the language of the page; ours if there was no answer.
import { useTranslations } from "next-intl";
import type { ShownProblem } from "./refusal";

export function useRefusalText(): (problem: ShownProblem) => string {
  const t = useTranslations();
  return ({ message }) => message || t("frame.failed");
}
