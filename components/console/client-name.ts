// What a client is called: the console is one of the service's own and has no row of its own, so its name is ours.
import { useTranslations } from "next-intl";

/** Reserved (server/directory/reserved-names.ts). */
const CONSOLE = "console";

/** Undefined if it has no name, for instance because it was removed. */
export function useClientName(): (client: { id: string; name?: string }) => string | undefined {
  const t = useTranslations();
  return ({ id, name }) => name ?? (id === CONSOLE ? t("product") : undefined);
}
