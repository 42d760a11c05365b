// The frame of every page before sign-in: one HTML document with its style inside, the brand, the card and the footer.
// It makes no request but for the icons of this site, and needs no script.
import type { ReactNode } from "react";
import type { LoginTranslator } from "../../messages/login";
import { linkTarget } from "../ui/links";
import { Mark, PRODUCT_NAME } from "../ui/logo";
import { Name } from "../ui/user-text";
import { type LanguageForm, LanguageSwitch } from "./language-switch";

/** Addresses of the operator, shown in the footer when they are set. */
export interface FooterLinks {
  privacyHref?: string;
  termsHref?: string;
  helpHref?: string;
}

export interface DocumentProps {
  t: LoginTranslator;
  locale: string;
  dir: "ltr" | "rtl";
  title: string;
  style: string;
  /** Inline script, for the page that posts itself. */
  script?: string;
  /** Load again after so many seconds, for an outage that ends by itself. */
  refreshSeconds?: number;
  organizationName?: string;
  languages?: LanguageForm;
  links?: FooterLinks;
  children: ReactNode;
}

export function Document(props: DocumentProps) {
  return (
    <html lang={props.locale} dir={props.dir}>
      {/* biome-ignore lint/style/noHeadElement: rendered by react-dom/server, outside Next */}
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f2f5f3" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0d1311" media="(prefers-color-scheme: dark)" />
        {props.refreshSeconds !== undefined && <meta httpEquiv="refresh" content={String(props.refreshSeconds)} />}
        <title>{`${props.title} – ${PRODUCT_NAME}`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, allowed in the CSP by its hash */}
        <style dangerouslySetInnerHTML={{ __html: props.style }} />
      </head>
      <body>
        <Arches />
        <div className="page">
          <div className="card">
            <header className="brand">
              <Mark />
              {props.organizationName ? <Name>{props.organizationName}</Name> : <span>{PRODUCT_NAME}</span>}
            </header>
            <main>{props.children}</main>
          </div>
          <Footer {...props} />
        </div>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, allowed in the CSP by its hash */}
        {props.script && <script dangerouslySetInnerHTML={{ __html: props.script }} />}
      </body>
    </html>
  );
}

function Footer({ t, locale, languages, links = {} }: DocumentProps) {
  const addresses = [
    { href: linkTarget(links.helpHref), text: t("common.help") },
    { href: linkTarget(links.privacyHref), text: t("common.privacy") },
    { href: linkTarget(links.termsHref), text: t("common.terms") },
  ].filter(({ href }) => href !== undefined);
  if (!languages && addresses.length === 0) return null;
  return (
    <footer>
      {languages && <LanguageSwitch t={t} locale={locale} {...languages} />}
      {addresses.length > 0 && (
        <ul>
          {addresses.map(({ href, text }) => (
            <li key={text}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </footer>
  );
}

/** The doorway of the mark, repeated behind the card. */
function Arches() {
  return (
    <svg className="arches" viewBox="0 0 1200 800" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <path
        d={[300, 390, 490, 600, 720]
          .map((r) => `M${600 - r} 800V${640 - Math.round(r / 6)}a${r} ${r} 0 0 1 ${2 * r} 0V800`)
          .join("")}
      />
    </svg>
  );
}
