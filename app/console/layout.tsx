// The document around every page of the console.
import "../../components/ui/tokens.css";
import "../../components/ui/base.css";
import "../../components/console/styles/page.css";
import "../../components/console/styles/frame.css";
import "../../components/console/styles/parts.css";
import "../../components/console/styles/form.css";
import "../../components/console/styles/table.css";
import "../../components/console/styles/over.css";
import "../../components/console/styles/mail.css";
import "../../components/console/styles/texts.css";
import "../../components/console/styles/apps.css";
import "../../components/console/styles/brand.css";
import "../../components/console/styles/operations.css";
import type { Metadata, Viewport } from "next";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getMessages } from "next-intl/server";
import type { ReactNode } from "react";
import { TellTimeZone } from "../../components/console/parts/time-zone";
import { CommandPalette } from "../../components/console/shell/command-palette";
import { DoEarlyActs } from "../../components/console/shell/do-early-acts";
import { showSelectedTabs } from "../../components/console/shell/first-view";
import { FrameProviders } from "../../components/console/shell/frame-providers";
import { keepEarlyActs } from "../../components/console/shell/keep-early-acts";
import { Languages } from "../../components/console/shell/languages";
import { Navigation, NavigationMenu } from "../../components/console/shell/navigation";
import { OrganizationSwitcher } from "../../components/console/shell/organization-switcher";
import { PageScript } from "../../components/console/shell/page-script";
import { textsAround } from "../../components/console/shell/script-texts";
import { Shell } from "../../components/console/shell/shell";
import { startWhenLoaded } from "../../components/console/shell/start-when-loaded";
import type { ConsoleMessages } from "../../messages/console";
import { directionOf, type LocaleEntry, type LocaleTag, locales } from "../../messages/locales";
import { FrameOfPage } from "./frame";
import { frameFacts } from "./frame-facts-of";
import { productTitle } from "./product-title";
import { Refreshing } from "./refreshing";
import { currentNonce, currentPath, currentQuery, currentViewer } from "./viewer";

/** Every page is for one user and has its own nonce. */
export const dynamic = "force-dynamic";

export async function generateMetadata(): Promise<Metadata> {
  const product = await productTitle();
  return {
    title: { template: `%s – ${product}`, default: product },
    icons: { icon: { url: "/favicon.svg", type: "image/svg+xml" } },
  };
}

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f2f5f3" },
    { media: "(prefers-color-scheme: dark)", color: "#0d1311" },
  ],
};

function byName(languages: LocaleEntry[]): LocaleEntry[] {
  const { compare } = new Intl.Collator("en");
  return languages.sort((one, other) => compare(one.endonym, other.endonym));
}

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const [locale, messages, viewer, path, query, nonce] = await Promise.all([
    getLocale(),
    getMessages(),
    currentViewer(),
    currentPath(),
    currentQuery(),
    currentNonce(),
  ]);
  const { user, hasAccountPage } = viewer;
  const managed = viewer.permissions.has("iam.read") ? undefined : await viewer.managedOrganizations();
  const direction = directionOf(locale as LocaleTag);
  return (
    <html lang={locale} dir={direction}>
      <body data-csrf={user.csrfToken}>
        <PageScript run={keepEarlyActs} nonce={nonce} />
        <PageScript run={showSelectedTabs} nonce={nonce} />
        <PageScript run={startWhenLoaded} nonce={nonce} />
        <NextIntlClientProvider messages={textsAround(messages as ConsoleMessages)}>
          <FrameProviders direction={direction} languages={byName([...locales, ...viewer.addedLanguages])}>
            <TellTimeZone />
            <FrameOfPage first={frameFacts(viewer)}>
              <Refreshing>
                <Shell
                  user={user}
                  hasAccountPage={hasAccountPage}
                  organization={<OrganizationSwitcher managed={managed} />}
                  palette={<CommandPalette managed={managed} />}
                  menu={<NavigationMenu />}
                  navigation={<Navigation />}
                  languages={<Languages path={path} query={query} />}
                >
                  {children}
                </Shell>
              </Refreshing>
            </FrameOfPage>
          </FrameProviders>
        </NextIntlClientProvider>
        <DoEarlyActs />
      </body>
    </html>
  );
}
