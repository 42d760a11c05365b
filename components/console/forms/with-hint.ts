// The label of a field and its hint: two texts, of which the second has the key of the first and `Hint`.
import type { useTranslations } from "next-intl";

export const withHint = (t: ReturnType<typeof useTranslations>, key: string) => ({
  label: t(key),
  hint: t(`${key}Hint`),
});
