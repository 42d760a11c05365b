// Returns the text of a refusal: the message of the response, in the language of the page; a general one if there was
// no response.
import { useTranslations } from "next-intl";
import type { ShownProblem } from "../../../shared/refusal";

export function useRefusalText(): (problem: ShownProblem) => string {
  const t = useTranslations();
  return ({ message }) => message || t("frame.failed");
}
