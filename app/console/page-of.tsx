// The common behaviour of all pages of the console: visitors without the permission get a notice; an organization that
// does not exist, or in which they have no permission at all, is "not found"; and the title names the page.
import { notFound, redirect } from "next/navigation";
import { NextIntlClientProvider } from "next-intl";
import { getMessages, getTimeZone, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { NoAccess } from "../../components/console/shell/notices";
import { textsOf } from "../../components/console/shell/script-texts";
import type { ConsoleMessages } from "../../messages/console";
import type { CurrentOrganization, Viewer } from "../../server/service/service";
import { type ConsolePage, entryOf, pageAddress, worksOnTexts } from "../../shared/pages";
import type { Answer } from "../../shared/refusal";
import { TellFacts } from "./frame-facts-of";
import { currentViewer } from "./viewer";

/** The properties that Next.js passes to a page. */
interface Address {
  params: Promise<Record<string, string>>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export interface PageContext {
  viewer: Viewer;
  /** The organization of the address, or the visitor's on other pages. */
  organization: CurrentOrganization;
  /** The dynamic segments of the address, decoded. */
  params: Readonly<Record<string, string>>;
  /** The query; the first value of a repeated name. */
  search: Readonly<Record<string, string | undefined>>;
  /** The browser's time zone, or UTC if it is unknown. */
  timeZone: string;
}

const decodedParams = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));

/**
 * Defines a page of the table in shared/pages.ts, for its `page.tsx`:
 * `const { metadata, Page } = pageOf("users", async ({ viewer }) => …)`, then
 * `export const generateMetadata = metadata; export default Page;`.
 * @param nameOf returns the name of the object that the page shows, for the title
 */
export function pageOf(
  page: ConsolePage,
  render: (context: PageContext) => Promise<ReactNode> | ReactNode,
  nameOf?: (viewer: Viewer, params: PageContext["params"]) => Promise<string | undefined>,
) {
  async function metadata({ params }: Pick<Address, "params">) {
    const [t, viewer, given] = await Promise.all([getTranslations(), currentViewer(), params]);
    if (!viewer.pages.includes(page)) return { title: t("noAccess.title") };
    const name = await nameOf?.(viewer, decodedParams(given));
    const kind = t(`pages.${page}`);
    return { title: name === undefined ? kind : `${name} – ${kind}` };
  }

  async function Page({ params, searchParams }: Address) {
    const [viewer, given, query, timeZone] = await Promise.all([currentViewer(), params, searchParams, getTimeZone()]);
    const { organization } = viewer;
    if (!organization && entryOf(page).group === "organization") notFound();
    // An organization's address is its first page; visitors who may not open it are redirected to the first page that
    // they may open.
    const first = viewer.pages.find((name) => entryOf(name).group === "organization");
    if (organization && page === "organization" && first && first !== page)
      redirect(pageAddress(first, organization.id));
    if (organization && page === "overview" && worksOnTexts(organization.permissions)) {
      redirect(pageAddress("texts", organization.id));
    }
    if (!organization || !viewer.pages.includes(page)) {
      const { user, hasAccountPage, pages } = viewer;
      return (
        <>
          <TellFacts />
          <NoAccess name={user.name} hasAccountPage={hasAccountPage} hasPages={pages.length > 0} />
        </>
      );
    }
    const once = Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
    const search = Object.fromEntries(once);
    const context = { viewer, organization, params: decodedParams(given), search, timeZone };
    const [messages, content] = await Promise.all([getMessages(), render(context)]);
    // Another query is another page: its fields start with its values. A refresh keeps the input.
    return (
      <NextIntlClientProvider key={JSON.stringify(search)} messages={textsOf(page, messages as ConsoleMessages)}>
        <TellFacts />
        {content}
      </NextIntlClientProvider>
    );
  }

  return { metadata, Page };
}

/** Returns the response about an object of the page; "not found" if the object was removed meanwhile. */
export async function found<Body>(asked: Promise<Answer<Body>>): Promise<Body> {
  const answer = await asked;
  if (!answer.ok) notFound();
  return answer.body;
}
