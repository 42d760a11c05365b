/**
 * Caches pages that are identical for everyone except for sealed values: rendered and encoded once, then filled in for
 * each visit. The cache key contains all other values, so any difference makes another page.
 */
import { randomSecret } from "../../crypto/random";
import type { PageFrame, PageResponse } from "./render";

/**
 * The maximum number of cached pages, after which the oldest is dropped: keys contain values from requests and must not
 * fill the memory.
 */
const MAX_CACHED_PAGES = 200;

/** A page as it is sent. */
export interface EncodedPage extends Omit<PageResponse, "html"> {
  html: Buffer<ArrayBuffer>;
}

interface KeptPage extends Omit<PageResponse, "html"> {
  /** The HTML, alternating with the numbers of the sealed values to insert. */
  pieces: readonly (Buffer | number)[];
}

// The placeholder of a sealed value: it cannot be guessed, and neither HTML nor URLs escape its characters.
const MARK = `${randomSecret()}-`;
const MARKS = new RegExp(`${MARK}(\\d)`);
/** The characters of base64url (RFC 4648 §5). */
const SEALED = /^[\w-]+$/;

type Render<Props> = (props: Props, frame: PageFrame) => PageResponse;

/**
 * Caches the pages of `render`, a pure function. The request id is not cached, because it differs for each request.
 * @returns the same function in UTF-8, with up to ten base64url values that may occur anywhere in the props
 */
export function keepPages<Props>(
  render: Render<Props>,
): (props: Props, frame: PageFrame, sealed: readonly string[]) => EncodedPage {
  const pages = new Map<string, KeptPage>();

  const make = (key: string, marked: string, { brand, words, languages }: PageFrame): KeptPage => {
    const [props, frame] = JSON.parse(marked) as [Props, PageFrame];
    const offered = frame.languages && { ...frame.languages, offered: languages?.offered };
    const { html, ...rest } = render(props, { ...frame, brand, words, languages: offered });
    // Pieces of HTML, alternating with the number of a placeholder.
    const pieces = html.split(MARKS).map((piece, index) => (index % 2 === 0 ? Buffer.from(piece) : Number(piece)));
    const page = { ...rest, pieces };
    if (pages.size >= MAX_CACHED_PAGES) pages.delete(pages.keys().next().value ?? "");
    pages.set(key, page);
    return page;
  };

  return (props, frame, sealed) => {
    // Flows come from browsers; even a valid one may contain characters that HTML escapes.
    if (!sealed.every((value) => SEALED.test(value))) {
      const { html, ...rest } = render(props, frame);
      return { ...rest, html: Buffer.from(html) };
    }
    const { brand, words, languages } = frame;
    const itsLanguages = languages && { ...languages, offered: undefined };
    const own = { ...frame, brand: undefined, words: undefined, requestId: "", languages: itsLanguages };
    const marked = sealed.reduce(
      (text, value, place) => text.replaceAll(value, `${MARK}${place}`),
      JSON.stringify([props, own]),
    );
    const key = `${words?.version} ${textOf(brand)} ${textOf(languages?.offered)} ${marked}`;
    const { pieces, status, headers } = pages.get(key) ?? make(key, marked, frame);
    const values = sealed.map((value) => Buffer.from(value));
    const html = pieces.map((piece) => (typeof piece === "number" ? (values[piece] as Buffer) : piece));
    return { status, headers, html: Buffer.concat(html) };
  };
}

const texts = new WeakMap<object, string>();

/** Returns the JSON of an object that many visits share, which is most of the frame; computed once for each. */
function textOf(shared: object | undefined): string {
  if (shared === undefined) return "";
  const known = texts.get(shared) ?? JSON.stringify(shared);
  texts.set(shared, known);
  return known;
}
