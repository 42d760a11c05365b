/**
 * Pages that are the same for everybody except for sealed values: rendered and encoded once, then filled in for each
 * visit. A page is cached by all its other values, so any difference makes another page.
 */
import { randomSecret } from "../../crypto/random";
import type { PageFrame, PageResponse } from "./render";

/** Beyond this many the oldest is dropped: keys contain values from requests and must not fill the memory. */
const MAX_CACHED_PAGES = 200;

/** A page as it is sent. */
export interface EncodedPage extends Omit<PageResponse, "html"> {
  html: Buffer<ArrayBuffer>;
}

interface KeptPage extends Omit<PageResponse, "html"> {
  /** The HTML, and in turn with it the numbers of the sealed values that go in between. */
  pieces: readonly (Buffer | number)[];
}

// The placeholder of a sealed value: nobody can guess it, and neither HTML nor URLs escape its characters.
const MARK = `${randomSecret()}-`;
const MARKS = new RegExp(`${MARK}(\\d)`);
/** The characters of base64url (RFC 4648 §5). */
const SEALED = /^[\w-]+$/;

type Render<Props> = (props: Props, frame: PageFrame) => PageResponse;

/**
 * Caches the pages of `render`, a pure function, without the request id, which would be another request's.
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
    // With each mark's number between two pieces of HTML.
    const pieces = html.split(MARKS).map((piece, index) => (index % 2 === 0 ? Buffer.from(piece) : Number(piece)));
    const page = { ...rest, pieces };
    if (pages.size >= MAX_CACHED_PAGES) pages.delete(pages.keys().next().value ?? "");
    pages.set(key, page);
    return page;
  };

  return (props, frame, sealed) => {
    // Flows come from browsers; one that opens may still contain characters that HTML escapes.
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

/** The JSON of what many visits share, which is most of the frame; made once for each. */
function textOf(shared: object | undefined): string {
  if (shared === undefined) return "";
  const known = texts.get(shared) ?? JSON.stringify(shared);
  texts.set(shared, known);
  return known;
}
