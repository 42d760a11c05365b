// The links and forms that lead to pages of the console.

/** Addresses below /console that are no pages, or that have side effects. */
const OTHERS = /^\/console\/(?:sign-in|sign-out|callback|api)(?:\/|$)/;

/** The parameter of the language menu. */
const LANGUAGE = "ui_locales";

/** Returns whether the page belongs to the current document: another language changes all of it. */
export const isInDocument = (url: URL): boolean => isPage(url) && !url.searchParams.has(LANGUAGE);

export const isPage = ({ origin, pathname }: URL): boolean =>
  origin === location.origin && /^\/console(?:\/|$)/.test(pathname) && !OTHERS.test(pathname);

/** Returns whether the address is that of the current page, apart from the fragment. */
export const isSamePage = (url: URL): boolean => url.href.split("#", 1)[0] === location.href.split("#", 1)[0];

/** Returns the link of an event that would be followed in this window. */
export function linkOf({ target }: Event): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || !/^https?:$/.test(link.protocol)) return undefined;
  return (link.target === "" || link.target === "_self") && !link.hasAttribute("download") ? link : undefined;
}

/** Returns the page that a form requests; undefined for other forms. */
export function addressOfSearch({ target, submitter }: SubmitEvent): URL | undefined {
  if (!(target instanceof HTMLFormElement) || target.method !== "get" || !target.hasAttribute("action"))
    return undefined;
  const url = new URL(target.getAttribute("action") ?? "", location.href);
  const given = [...new FormData(target, submitter)].filter((entry): entry is [string, string] => entry[1] !== "");
  url.search = String(new URLSearchParams(given));
  // Without scripts, the form of the languages requests the page that the document was loaded for.
  const locale = url.searchParams.get(LANGUAGE);
  if (locale === null) return isPage(url) ? url : undefined;
  const here = new URL(location.href);
  here.searchParams.set(LANGUAGE, locale);
  return here;
}
