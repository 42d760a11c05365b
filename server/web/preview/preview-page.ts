/**
 * Renders previews of pages with unsaved texts, by the code of the real pages, for editors of the texts. A preview runs
 * no scripts, submits nothing and has no links; each text is identified, as is each fixed text, which protects the
 * reader or has plural forms.
 * Rule TEXT-9.
 */
import { markedTranslator } from "../../../messages/login";
import type { Context } from "../../context";
import { organizationName } from "../../directory/organization/name";
import { type BuiltInLanguage, baseOf, type Language } from "../../directory/policy/languages";
import type { SetLoginText } from "../../texts/editing/set-login-text";
import { ownHosts } from "../../texts/own-hosts";
import { checkPageText, type PageTextError, toMessage } from "../../texts/pages/check-page-text";
import { type FixedPageText, fixedPageTextsOf, flatPageTexts, pageTextsOf } from "../../texts/pages/page-texts";
import { readPageTexts } from "../../texts/pages/resolve-page-texts";
import { writtenIn } from "../pages/language";
import { languageForm } from "../pages/language-form";
import { footerLinks, surroundingsOf } from "../pages/surroundings";
import { markHtml, marksOf, withoutMarks } from "./marks";
import { NOWHERE, SAMPLE_VALUES, type SamplePage } from "./sample-page";
import { samplePages } from "./sample-pages";

const pagesById = new Map(samplePages.map((page) => [page.id, page]));

export const findSamplePage = (id: string): SamplePage | undefined => pagesById.get(id);

export interface NamedPage {
  id: string;
  title: string;
  /** A text that only this state of the page shows. */
  state?: string;
}

/** Returns all pages with a preview, named by their own texts. */
export function namePages(language: BuiltInLanguage): NamedPage[] {
  const say = (path: string) => wordAt(language, path);
  return samplePages.map(({ id, title, state }) => ({ id, title: say(title), ...(state && { state: say(state) }) }));
}

/** Returns the built-in text, as in the API. */
function wordAt(language: BuiltInLanguage, path: string): string {
  const found = [...pageTextsOf(language).values()].find((word) => word.path === path)?.text;
  const text = found ?? fixedPageTextsOf(language).get(path)?.text ?? path;
  // For plurals, the form `other`, which always exists, with a number.
  return (/ other \{(.*?)\}/.exec(text)?.[1] ?? text).replaceAll("#", "3").replace(/<\/?\w+>/g, "");
}

export interface PreviewWanted {
  page: SamplePage;
  /** The organization; undefined for the instance. */
  organizationId: string | undefined;
  language: Language;
  /** All texts of the level, instead of the saved ones; undefined for the saved ones. */
  words: SetLoginText["words"] | undefined;
  requestId: string | undefined;
}

export interface RenderedPreview {
  /** A complete document; each text in it is an element with `data-word`, or `data-fixed`. */
  html: string;
  /** The changeable texts on the page, by `group.key`, in order. */
  words: readonly string[];
  /** The texts that cannot be changed. */
  fixed: readonly FixedPageText[];
  /** The errors of the given texts, on any page. */
  errors: readonly (PageTextError & { field: string })[];
}

/** Returns one page with the given texts on top of those of the level below. */
export async function previewPage(ctx: Context, wanted: PreviewWanted): Promise<RenderedPreview> {
  const { organizationId, language, page } = wanted;
  const base = await baseOf(ctx, language);
  const known = pageTextsOf(base);
  const given = wanted.words && flatPageTexts(wanted.words);
  const inherited = given ? await readInherited(ctx, language, organizationId) : {};
  const inForce = given ? { ...inherited, ...given } : await readPageTexts(ctx, language, organizationId);
  const own = await ownHosts(ctx, organizationId);
  const errors = Object.entries(given ?? {}).flatMap(([field, text]) => {
    const word = known.get(field);
    const error = word && checkPageText(word, text, own);
    return error ? [{ field, ...error }] : [];
  });
  const messages = Object.fromEntries(
    Object.entries(inForce).flatMap(([name, text]) => {
      const word = known.get(name);
      return word ? [[word.path, toMessage(word, withoutMarks(wellFormed(text)))] as const] : [];
    }),
  );
  return { ...(await renderMarked(ctx, wanted, page, messages)), errors };
}

const readInherited = (ctx: Context, language: Language, organizationId: string | undefined) =>
  organizationId === undefined ? {} : readPageTexts(ctx, language, undefined);
/** Replaces lone surrogates, which UTF-8 cannot encode. */
const wellFormed = (text: string) => text.replace(/\p{Cs}/gu, "\ufffd");

async function renderMarked(
  ctx: Context,
  { organizationId, language, requestId }: PreviewWanted,
  page: SamplePage,
  messages: Readonly<Record<string, string>>,
): Promise<Omit<RenderedPreview, "errors">> {
  const [base, written] = [await baseOf(ctx, language), await writtenIn(ctx, language)];
  const { brand, links, offered } = await surroundingsOf(ctx, organizationId);
  const owner = organizationId === undefined ? undefined : await organizationName(ctx, organizationId);
  const names = new Map([...pageTextsOf(base)].map(([name, { path }]) => [path, name]));
  const paths: string[] = [];
  const preview = markedTranslator({ locale: language, base }, messages, (path) => marksOf(paths.push(path) - 1));
  const rendered = page.render(
    {
      ...written,
      requestId: requestId ?? "",
      brand,
      links: footerLinks(links, language),
      languages: {
        ...languageForm(NOWHERE),
        offered: offered.map((entry) => ({ ...entry, endonym: withoutMarks(entry.endonym) })),
      },
      preview,
    },
    { ...SAMPLE_VALUES, organizationName: owner && withoutMarks(owner) },
  );
  const { html, shown } = markHtml(rendered.html, (number) => {
    const path = paths[number] ?? "";
    const name = names.get(path);
    return name === undefined ? `data-fixed="${path}"` : `data-word="${name}"`;
  });
  const onPage = shown.map((number) => paths[number] ?? "");
  const fixed = fixedPageTextsOf(base);
  return {
    html: inert(html),
    words: [...new Set(onPage.flatMap((path) => names.get(path) ?? []))],
    fixed: onPage.flatMap((path) => fixed.get(path) ?? []),
  };
}

/**
 * Removes the effects of scripts and browsers: passkey forms and the texts for browsers without scripts are shown, no
 * element takes the focus, and links have no addresses.
 */
function inert(html: string): string {
  return html
    .replace(/<(\/?)noscript>/g, "<$1div>")
    .replace(/ (?:hidden|data-(?:un)?scripted)="[^"]*"/g, "")
    .replaceAll(' autofocus=""', "")
    .replace(/(<(?:a|form)\b[^>]*?) (?:href|action)="[^"]*"/g, "$1")
    .replace(/<meta http-equiv="refresh"[^>]*>/g, "");
}
