// The display name of a client. The console is a built-in client without a row, so its name is the product's.
import { useTranslations } from "next-intl";

/** Reserved (server/directory/reserved-names.ts). */
const CONSOLE = "console";

/** Returns a function that gives a client's name; undefined if it has none, for example because it was removed. */
export function useClientName(): (client: { id: string; name?: string }) => string | undefined {
  const t = useTranslations();
  return ({ id, name }) => name ?? (id === CONSOLE ? t("product") : undefined);
}
