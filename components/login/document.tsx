// The frame of every page before sign-in: one HTML document with inline style, the brand, the card and the footer. It
// loads only this site's icons, and needs no scripts.
import type { ReactNode } from "react";
import type { LoginTranslator } from "../../messages/login";
import { linkTarget } from "../ui/links";
import { Mark, PRODUCT_NAME } from "../ui/logo";
import { Name, plainName } from "../ui/user-text";
import { type LanguageForm, LanguageSwitch } from "./language-switch";

/** The operator's addresses, shown in the footer if they are set. */
export interface FooterLinks {
  privacyHref?: string;
  termsHref?: string;
  helpHref?: string;
  documentationHref?: string;
  /** The address, which needs no translation. */
  supportEmail?: string;
}

/** A picture with its displayed size, and a variant for dark mode if there is one. */
export interface ShownPicture {
  src: string;
  width: number;
  height: number;
  dark?: Omit<ShownPicture, "dark">;
}

/** The parts of a branding that are not in the style sheet. */
export interface Look {
  colorScheme: string;
  /** The background colour for the browser's interface; two if the page has a light and a dark mode. */
  themeColors: readonly { color: string; media?: string }[];
  /** Replaces the mark and the name. */
  logo?: ShownPicture;
  /** Replaces the mark, also as the favicon. */
  icon?: ShownPicture;
  /** Whether the service's own mark and name are omitted. */
  isUnmarked: boolean;
}

export interface DocumentProps {
  t: LoginTranslator;
  locale: string;
  dir: "ltr" | "rtl";
  title: string;
  style: string;
  look: Look;
  /** An inline script, for the page that submits itself. */
  script?: string;
  /** Reloads the page after this number of seconds, during a temporary outage. */
  refreshSeconds?: number;
  organizationName?: string;
  languages?: LanguageForm;
  links?: FooterLinks;
  children: ReactNode;
}

const DARK = "(prefers-color-scheme: dark)";

export function Document(props: DocumentProps) {
  const { look, organizationName } = props;
  const site = organizationName ? plainName(organizationName) : look.isUnmarked ? undefined : PRODUCT_NAME;
  return (
    <html lang={props.locale} dir={props.dir}>
      {/* biome-ignore lint/style/noHeadElement: rendered by react-dom/server, outside Next */}
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={look.colorScheme} />
        {look.themeColors.map(({ color, media }) => (
          <meta key={color} name="theme-color" content={color} media={media} />
        ))}
        {props.refreshSeconds !== undefined && <meta httpEquiv="refresh" content={String(props.refreshSeconds)} />}
        <title>{site ? `${props.title} – ${site}` : props.title}</title>
        <TabIcon {...look} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our sheet and checked colours, allowed by its hash */}
        <style dangerouslySetInnerHTML={{ __html: props.style }} />
      </head>
      <body>
        {!look.isUnmarked && <Arches />}
        <div className="page">
          <div className="card">
            <Header look={look} organizationName={organizationName} />
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

function TabIcon({ icon, isUnmarked }: Look) {
  if (!icon) {
    // Without an icon, browsers would request /favicon.ico.
    return isUnmarked ? (
      <link rel="icon" href="data:," />
    ) : (
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    );
  }
  return (
    <>
      <link rel="icon" href={icon.src} />
      {icon.dark && <link rel="icon" href={icon.dark.src} media={DARK} />}
    </>
  );
}

/** The logo, or mark and name. */
function Header({ look, organizationName }: Pick<DocumentProps, "look" | "organizationName">) {
  const { logo, icon, isUnmarked } = look;
  if (isUnmarked && !logo && !icon && !organizationName) return null;
  return (
    <header className="brand">
      {logo ? (
        <Picture {...logo} className="logo" alt={plainName(organizationName ?? (isUnmarked ? "" : PRODUCT_NAME))} />
      ) : (
        <>
          {icon ? <Picture {...icon} alt="" /> : !isUnmarked && <Mark />}
          {organizationName ? <Name>{organizationName}</Name> : !isUnmarked && <span>{PRODUCT_NAME}</span>}
        </>
      )}
    </header>
  );
}

function Picture({ dark, ...light }: ShownPicture & { alt: string; className?: string }) {
  return (
    <picture>
      {dark && <source srcSet={dark.src} width={dark.width} height={dark.height} media={DARK} />}
      <img {...light} alt={light.alt} />
    </picture>
  );
}

function Footer({ t, locale, languages, links = {} }: DocumentProps) {
  const addresses = [
    { href: linkTarget(links.helpHref), text: t("common.help") },
    { href: linkTarget(links.documentationHref), text: t("common.documentation") },
    { href: linkTarget(links.privacyHref), text: t("common.privacy") },
    { href: linkTarget(links.termsHref), text: t("common.terms") },
    { href: mailTo(links.supportEmail), text: links.supportEmail ?? "" },
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

function mailTo(address: string | undefined): string | undefined {
  const at = address?.lastIndexOf("@") ?? -1;
  return address && `mailto:${encodeURIComponent(address.slice(0, at))}${address.slice(at)}`;
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
