/**
 * Pages that are the same for everybody except for sealed values: rendered once, then filled in for each visit. A page
 * is cached by all its other values, so any difference makes another page.
 */
import { randomSecret } from "../../crypto/random";
import type { PageFrame, PageResponse } from "./render";

/** Beyond this many the oldest is dropped: keys contain values from requests and must not fill the memory. */
const MAX_CACHED_PAGES = 200;

interface KeptPage extends Omit<PageResponse, "html"> {
  /** The HTML before, between and after the marks. */
  parts: readonly string[];
  /** Which of the sealed values goes between two parts. */
  places: readonly number[];
}

// The placeholder of a sealed value: nobody can guess it, and neither HTML nor URLs escape its characters.
const MARK = `${randomSecret()}-`;
const MARKS = new RegExp(`${MARK}(\\d)`);
/** The characters of base64url (RFC 4648 §5). */
const SEALED = /^[\w-]+$/;

type Render<Props> = (props: Props, frame: PageFrame) => PageResponse;

/**
 * Caches the pages of `render`, a pure function, without the request id, which would be another request's.
 * @returns the same function, with up to ten base64url values that may occur anywhere in the props
 */
export function keepPages<Props>(
  render: Render<Props>,
): (props: Props, frame: PageFrame, sealed: readonly string[]) => PageResponse {
  const pages = new Map<string, KeptPage>();

  const make = (marked: string, { brand, words }: PageFrame): KeptPage => {
    const [props, frame] = JSON.parse(marked) as [Props, PageFrame];
    const { html, ...rest } = render(props, { ...frame, brand, words });
    const pieces = html.split(MARKS); // with each mark's number between two pieces
    const page = {
      ...rest,
      parts: pieces.filter((_, index) => index % 2 === 0),
      places: pieces.filter((_, index) => index % 2 === 1).map(Number),
    };
    if (pages.size >= MAX_CACHED_PAGES) pages.delete(pages.keys().next().value ?? "");
    pages.set(marked, page);
    return page;
  };

  return (props, frame, sealed) => {
    // Flows come from browsers; one that opens may still contain characters that HTML escapes.
    if (!sealed.every((value) => SEALED.test(value))) return render(props, frame);
    const marked = sealed.reduce(
      (text, value, place) => text.replaceAll(value, `${MARK}${place}`),
      JSON.stringify([props, { ...frame, requestId: "", words: frame.words?.version }]),
    );
    const { parts, places, status, headers } = pages.get(marked) ?? make(marked, frame);
    const html = places.reduce((text, place, index) => text + sealed[place] + parts[index + 1], parts[0] ?? "");
    return { status, headers, html };
  };
}
