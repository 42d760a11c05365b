import { getTranslations } from "next-intl/server";
import { PRODUCT_NAME } from "../../components/ui/logo";

/** What the title of every page of the console ends with, in the visitor's language. */
export async function productTitle(): Promise<string> {
  const t = await getTranslations();
  return `${t("product")} – ${PRODUCT_NAME}`;
}
