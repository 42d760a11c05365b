// The document around every page of the console.
import "../../components/ui/tokens.css";
import "../../components/console/console.css";
import type { Metadata, Viewport } from "next";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { Shell } from "../../components/console/shell";
import { PRODUCT_NAME } from "../../components/ui/logo";
import { directionOf, type LocaleTag } from "../../messages/locales";
import { currentDesk } from "./desk";
import { Navigation } from "./navigation";

/** Every page is for one person, and carries a nonce of its own. */
export const dynamic = "force-dynamic";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations();
  const product = `${t("product")} – ${PRODUCT_NAME}`;
  const { visitor } = await currentDesk();
  return {
    title: { template: `%s – ${product}`, default: product },
    icons: { icon: { url: "/favicon.svg", type: "image/svg+xml" } },
    other: { "csrf-token": visitor.csrfToken },
  };
}

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f2f5f3" },
    { media: "(prefers-color-scheme: dark)", color: "#0d1311" },
  ],
};

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const [locale, { visitor, hasAccountPage }] = await Promise.all([getLocale(), currentDesk()]);
  return (
    <html lang={locale} dir={directionOf(locale as LocaleTag)}>
      <body>
        <NextIntlClientProvider>
          <Shell
            visitor={visitor}
            hasAccountPage={hasAccountPage}
            navigation={visitor.pages.length > 0 && <Navigation pages={visitor.pages} />}
          >
            {children}
          </Shell>
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
