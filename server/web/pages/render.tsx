// Renders a page: React elements become one HTML document by react-dom/server, inside our own application, so that both
// servers send the same bytes and browsers need no scripts. The style sheet is part of the document; the
// Content-Security-Policy allows it by its hash, and nothing else.
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Document, type FooterLinks } from "../../../components/login/document";
import type { LanguageForm } from "../../../components/login/language-switch";
import { gapsOf } from "../../../messages/gaps";
import { type Direction, directionOf } from "../../../messages/locales";
import {
  type ChangedWords,
  changedTranslator,
  inIsolates,
  type LoginTranslator,
  loginTranslator,
} from "../../../messages/login";
import { type Brand, NEUTRAL_BRAND } from "../../directory/branding/branding";
import { type BuiltInLanguage, isBuiltIn, type Language } from "../../directory/policy/languages";
import { lookOf, type Sheet, styleOf } from "./brand-style";
import { markFallingBack } from "./falling-back";
import { contentHash, publicPageHeaders } from "./headers";

/** The data that every page needs about its request. */
export interface PageFrame {
  locale: Language;
  /** For a language that is not built in: the language of its missing words, and its text direction. */
  added?: { base: BuiltInLanguage; dir: Direction };
  /** The organization that a page belongs to, if the page names none itself. */
  organizationName?: string;
  /** The browser's time zone; undefined if it is unknown. */
  timeZone?: string;
  /** Correlates the page with the log; shown on the error page. */
  requestId: string;
  /** The validated redirect URI (or its origin) to which submitting the page's form may lead. */
  formActionOrigin?: string;
  /** The page's own address; see `languageForm`. Omitted in the response to a form, which has no address. */
  languages?: LanguageForm;
  links?: FooterLinks;
  /** The branding of the page; defaults to the service's own. Caches of pages must distinguish brands. */
  brand?: Brand;
  /** The words of an administrator in place of built-in ones. */
  words?: ChangedWords;
  /** The translator of a preview page (web/preview), which runs no scripts and does not reload. */
  preview?: LoginTranslator;
}

export interface PageContent {
  status?: number;
  /** Title in the language of the page, without the product's name. */
  title: string;
  /** Whether to prefix the title with "Error:", which a screen reader reads first. */
  hasError?: boolean;
  organizationName?: string;
  /** The style sheet; defaults to that of the sign-in pages. */
  sheet?: Sheet;
  /** A constant inline script; its hash is added to the CSP. */
  script?: string;
  /** The validated addresses that the page loads in frames. */
  frames?: readonly string[];
  /** Whether its form, whose only target is fixed, may lead anywhere by redirects. */
  leadsAnywhere?: boolean;
  /** The value of `Retry-After`, in seconds. */
  retryAfter?: number;
  /** Whether the browser also reloads the page after `retryAfter`. */
  refresh?: boolean;
  body: ReactElement;
}

export interface PageResponse {
  status: number;
  html: string;
  /** The headers, with lowercase names. */
  headers: Record<string, string>;
}

/** Returns status and title prefix of a page whose form was rejected (422) or not. */
export const refusedIf = (refused: boolean) => ({ status: refused ? 422 : 200, hasError: refused });

/** Whether any field of a form has an error. */
export const anyOf = (errors: object = {}) => Object.values(errors).some((error) => error !== undefined);

/**
 * Returns 429 with Retry-After while attempts with the current password are blocked.
 * @param minutes the duration of the block
 */
export const throttledIf = (throttled: boolean, minutes = 1) =>
  throttled && { status: 429, retryAfter: Math.max(1, minutes) * 60 };

/** Returns the language of the built-in words of a page. */
export const baseOfFrame = ({ locale, added }: Pick<PageFrame, "locale" | "added">): BuiltInLanguage =>
  isBuiltIn(locale) ? locale : (added?.base ?? "en");

/** Returns a built-in text that is not one of the page's words, marked if the page has another language. */
export const builtInOn = (frame: PageFrame, text: string): string =>
  frame.added ? inIsolates(text, frame.added.base) : text;

/** Whether the page may contain words in another language than its own. */
const fallsBack = (frame: PageFrame) => frame.added !== undefined || gapsOf(baseOfFrame(frame), "login").size > 0;

function translatorOf(frame: PageFrame): LoginTranslator {
  const { locale, words, preview, added } = frame;
  const base = baseOfFrame(frame);
  if (preview) return preview;
  if (!words && !added) return loginTranslator(base);
  const none = { version: `${locale}/${base}`, messages: {} };
  return changedTranslator({ locale, base }, words ?? none);
}

/** Renders one page. The body is made with the translator of the frame's locale. */
export function renderPage(frame: PageFrame, describe: (t: LoginTranslator) => PageContent): PageResponse {
  const t = translatorOf(frame);
  const page = frame.preview ? { ...describe(t), script: undefined, refresh: false } : describe(t);
  const { brand = NEUTRAL_BRAND } = frame;
  const style = styleOf(brand, page.sheet);
  const base = baseOfFrame(frame);
  const document = (
    <Document
      t={t}
      locale={frame.locale}
      dir={frame.added?.dir ?? directionOf(base)}
      title={page.hasError ? t("common.errorTitle", { title: page.title }) : page.title}
      style={style.text}
      look={lookOf(brand)}
      script={page.script}
      refreshSeconds={page.refresh ? page.retryAfter : undefined}
      organizationName={page.organizationName ?? frame.organizationName}
      languages={frame.languages}
      links={frame.links}
    >
      {page.body}
    </Document>
  );
  return {
    status: page.status ?? 200,
    html: `<!doctype html>${renderToStaticMarkup(fallsBack(frame) ? markFallingBack(document, base) : document)}`,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-language": frame.locale,
      ...publicPageHeaders({
        formActionOrigin: frame.formActionOrigin,
        frames: page.frames,
        leadsAnywhere: page.leadsAnywhere,
        styleHash: style.hash,
        scriptHash: page.script === undefined ? undefined : contentHash(page.script),
      }),
      ...(page.retryAfter !== undefined && { "retry-after": String(page.retryAfter) }),
    },
  };
}

/** What every page component gets besides its own props. */
interface PageProps {
  t: LoginTranslator;
  locale: Language;
  timeZone: string | undefined;
}

/**
 * Makes the function that renders a page.
 * @param describe returns status, title and script; the organization is the one in the props
 */
export const pageOf =
  <Props extends { organizationName?: string }>(
    Page: (props: Props & PageProps) => ReactElement,
    describe: (t: LoginTranslator, props: Props) => Omit<PageContent, "body" | "organizationName">,
  ) =>
  (props: Props, frame: PageFrame): PageResponse =>
    renderPage(frame, (t) => ({
      ...describe(t, props),
      organizationName: props.organizationName,
      body: <Page t={t} locale={frame.locale} timeZone={frame.timeZone} {...props} />,
    }));
