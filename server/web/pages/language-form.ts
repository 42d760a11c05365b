/** The form of the language switch. */
import type { LanguageForm } from "../../../components/login/language-switch";

/** The page's own address for the language switch. `address` is path and query as received on GET. */
export function languageForm(address: string): LanguageForm {
  const { pathname, searchParams } = new URL(address, "http://page.invalid");
  searchParams.delete("ui_locales");
  // One slash: `/..//other.test` must not become the address of another host.
  return { action: pathname.replace(/^\/+/, "/"), fields: Object.fromEntries(searchParams) };
}
