// What every page of the console has in common: who may not open it is told so, an organization that there is not or
// that he may nothing in is no page at all, and the title names the page.
import { notFound } from "next/navigation";
import { NextIntlClientProvider } from "next-intl";
import { getMessages, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { NoAccess } from "../../components/console/notices";
import { type ConsolePage, entryOf } from "../../components/console/pages";
import { textsOf } from "../../components/console/script-texts";
import type { ConsoleMessages } from "../../messages/console";
import type { CurrentOrganization, Desk } from "../../server/http/service";
import { currentDesk } from "./desk";

/** The properties that Next passes to a page. */
interface Address {
  params: Promise<Record<string, string>>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export interface PageContext {
  desk: Desk;
  /** The organization of the address, or the visitor's on other pages. */
  organization: CurrentOrganization;
  /** The dynamic parts of the address, decoded. */
  params: Readonly<Record<string, string>>;
  /** The query; if a name occurs twice, the first value. */
  search: Readonly<Record<string, string | undefined>>;
}

/**
 * A page of the table in components/console/pages.ts, for its `page.tsx`:
 * `const { metadata, Page } = pageOf("users", async ({ desk }) => …)`, then
 * `export const generateMetadata = metadata; export default Page;`.
 */
export function pageOf(page: ConsolePage, render: (context: PageContext) => Promise<ReactNode> | ReactNode) {
  async function metadata() {
    const [t, desk] = await Promise.all([getTranslations(), currentDesk()]);
    return { title: desk.pages.includes(page) ? t(`pages.${page}`) : t("noAccess.title") };
  }

  async function Page({ params, searchParams }: Address) {
    const [desk, given, query] = await Promise.all([currentDesk(), params, searchParams]);
    const { organization } = desk;
    if (!organization && entryOf(page).group === "organization") notFound();
    if (!organization || !desk.pages.includes(page)) {
      return <NoAccess name={desk.visitor.name} hasAccountPage={desk.hasAccountPage} />;
    }
    const decoded = Object.entries(given).map(([name, value]) => [name, decodeURIComponent(value)]);
    const first = Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
    const context = { desk, organization, params: Object.fromEntries(decoded), search: Object.fromEntries(first) };
    const [messages, content] = await Promise.all([getMessages(), render(context)]);
    return (
      <NextIntlClientProvider messages={textsOf(page, messages as ConsoleMessages)}>{content}</NextIntlClientProvider>
    );
  }

  return { metadata, Page };
}
