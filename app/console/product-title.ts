import { getTranslations } from "next-intl/server";
import { PRODUCT_NAME } from "../../components/ui/logo";
import { organizationInPath } from "../../shared/pages";
import { currentPath, currentViewer } from "./viewer";

/**
 * Returns the end of the title of every page of the console, in the visitor's language. It names the
 * organization of the page, so that the tabs of several organizations differ, or the service.
 */
export async function productTitle(): Promise<string> {
  const [t, path] = await Promise.all([getTranslations(), currentPath()]);
  const { organization } = organizationInPath(path) === undefined ? { organization: undefined } : await currentViewer();
  return organization ? `${organization.name} – ${t("product")}` : `${t("product")} – ${PRODUCT_NAME}`;
}
