// A refusal in the language of the page: by its slug where we have words for it, else in the operation's own.
import { useTranslations } from "next-intl";
import type { Problem } from "./refusal";

export function useRefusalText(): (problem: Problem) => string {
  const t = useTranslations();
  return ({ id, message }) => {
    const key = `refusals.by.id.${id.replaceAll(".", "_")}`;
    return id !== "" && t.has(key) ? t(key) : message || t("frame.failed");
  };
}
