/**
 * Pages that are the same for everybody but for what is sealed into them: rendered once, filled in for each visit. A
 * page is kept by everything that is said in it, so whatever differs makes another page.
 */
import { randomSecret } from "../../crypto/random";
import type { PageFrame, PageResponse } from "./render";

/** Beyond this many the oldest goes: addresses come from requests, and must not fill the memory. */
const MOST_PAGES = 200;

interface KeptPage extends Omit<PageResponse, "html"> {
  /** What stands before, between and after the marks. */
  parts: readonly string[];
  /** Which of the sealed values stands between two parts. */
  places: readonly number[];
}

// What stands in a kept page for a sealed value: nobody can guess it, and HTML and addresses leave its letters alone.
const MARK = `${randomSecret()}-`;
const MARKS = new RegExp(`${MARK}(\\d)`);
/** The letters of base64url (RFC 4648 §5). */
const SEALED = /^[\w-]+$/;

type Render<Props> = (props: Props, frame: PageFrame) => PageResponse;

/**
 * The pages that `render`, a pure function, makes; told no request id, which would be somebody else's.
 * @returns a function of the same values, and of up to ten in base64url that may stand anywhere in them
 */
export function keepPages<Props>(
  render: Render<Props>,
): (props: Props, frame: PageFrame, sealed: readonly string[]) => PageResponse {
  const pages = new Map<string, KeptPage>();

  const make = (marked: string, { brand }: PageFrame): KeptPage => {
    const [props, frame] = JSON.parse(marked) as [Props, PageFrame];
    const { html, ...rest } = render(props, { ...frame, brand });
    const pieces = html.split(MARKS); // with every mark's number between two pieces
    const page = {
      ...rest,
      parts: pieces.filter((_, index) => index % 2 === 0),
      places: pieces.filter((_, index) => index % 2 === 1).map(Number),
    };
    if (pages.size >= MOST_PAGES) pages.delete(pages.keys().next().value ?? "");
    pages.set(marked, page);
    return page;
  };

  return (props, frame, sealed) => {
    // Flows come back from browsers, and what opens may still be written with letters that HTML escapes.
    if (!sealed.every((value) => SEALED.test(value))) return render(props, frame);
    const marked = sealed.reduce(
      (text, value, place) => text.replaceAll(value, `${MARK}${place}`),
      JSON.stringify([props, { ...frame, requestId: "" }]),
    );
    const { parts, places, status, headers } = pages.get(marked) ?? make(marked, frame);
    const html = places.reduce((text, place, index) => text + sealed[place] + parts[index + 1], parts[0] ?? "");
    return { status, headers, html };
  };
}
