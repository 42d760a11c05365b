import { getTranslations } from "next-intl/server";
import { PRODUCT_NAME } from "../../components/ui/logo";

/** Returns the end of the title of every page of the console, in the visitor's language. */
export async function productTitle(): Promise<string> {
  const t = await getTranslations();
  return `${t("product")} – ${PRODUCT_NAME}`;
}
