// A page as bytes: React elements rendered to one HTML document by react-dom/server, inside our own application, so
// both lanes send the same bytes and no browser needs a script. The style sheet is part of the document; the
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

/** What every page needs to know about the request it answers. */
export interface PageFrame {
  locale: Language;
  /** Of a language that is not built in: whose words stand where it has none, and its direction of writing. */
  added?: { base: BuiltInLanguage; dir: Direction };
  /** Of the browser; undefined where it has not told. */
  timeZone?: string;
  /** Correlates the page with the log; shown on the error page. */
  requestId: string;
  /** The validated redirect URI (or its origin) that submitting the page's form may lead to. */
  formActionOrigin?: string;
  /** The page's own address; see `languageForm`. Left out in the response to a form, which has none to return to. */
  languages?: LanguageForm;
  links?: FooterLinks;
  /** The look of the page; by default the service's own. Caches of pages must distinguish brands. */
  brand?: Brand;
  /** What an administrator wrote in place of built-in words. */
  words?: ChangedWords;
  /** Of a page that is only looked at (web/preview): its words are these, and it runs and reloads nothing. */
  preview?: LoginTranslator;
}

export interface PageContent {
  status?: number;
  /** Title in the language of the page, without the product's name. */
  title: string;
  /** True prefixes the title with "Error:", the first thing a screen reader says. */
  hasError?: boolean;
  organizationName?: string;
  /** The style sheet; by default that of the sign-in pages. */
  sheet?: Sheet;
  /** Constant inline script; its hash enters the CSP. */
  script?: string;
  /** Seconds; becomes `Retry-After`. */
  retryAfter?: number;
  /** Also let the browser load the page again by itself after `retryAfter`. */
  refresh?: boolean;
  body: ReactElement;
}

export interface PageResponse {
  status: number;
  html: string;
  /** Lower-case names. */
  headers: Record<string, string>;
}

/** Status and title of a page whose form was refused (422) or not. */
export const refusedIf = (refused: boolean) => ({ status: refused ? 422 : 200, hasError: refused });

/** Whether any field of a form has an error. */
export const anyOf = (errors: object = {}) => Object.values(errors).some((error) => error !== undefined);

/** 429 with Retry-After while the current password cannot be tried. @param minutes until it can */
export const throttledIf = (throttled: boolean, minutes = 1) =>
  throttled && { status: 429, retryAfter: Math.max(1, minutes) * 60 };

/** The language of the built-in words of a page. */
export const baseOfFrame = ({ locale, added }: Pick<PageFrame, "locale" | "added">): BuiltInLanguage =>
  isBuiltIn(locale) ? locale : (added?.base ?? "en");

/** A built-in text that is none of the page's words, as it stands among them: marked where the page has another language. */
export const builtInOn = (frame: PageFrame, text: string): string =>
  frame.added ? inIsolates(text, frame.added.base) : text;

/** Whether words of another language than the page's may be among its words. */
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
  const document = renderToStaticMarkup(
    <Document
      t={t}
      locale={frame.locale}
      dir={frame.added?.dir ?? directionOf(baseOfFrame(frame))}
      title={page.hasError ? t("common.errorTitle", { title: page.title }) : page.title}
      style={style.text}
      look={lookOf(brand)}
      script={page.script}
      refreshSeconds={page.refresh ? page.retryAfter : undefined}
      organizationName={page.organizationName}
      languages={frame.languages}
      links={frame.links}
    >
      {page.body}
    </Document>,
  );
  return {
    status: page.status ?? 200,
    html: `<!doctype html>${fallsBack(frame) ? markFallingBack(document, baseOfFrame(frame)) : document}`,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-language": frame.locale,
      ...publicPageHeaders({
        formActionOrigin: frame.formActionOrigin,
        styleHash: style.hash,
        scriptHash: page.script === undefined ? undefined : contentHash(page.script),
      }),
      ...(page.retryAfter !== undefined && { "retry-after": String(page.retryAfter) }),
    },
  };
}
