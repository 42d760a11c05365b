import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { locales } from "../../../messages/locales";
import { everyCell } from "../../testing/cells";
import { everyPage, frameOf, tagsOf } from "../../testing/page-samples";

// Most facts hold in all languages if they hold in one, except for the text direction; tested are the reference and one
// of each direction.
const told = locales.filter(({ tag, dir }) => tag === "en" || tag === "de" || dir === "rtl");
/** The facts that must hold for each page, by name. */
const FACTS: Readonly<Record<string, (page: Shown) => void>> = {
  "is one document in its language with one title, one heading and one main part": ({
    html,
    headers,
    tags,
    locale,
    dir,
  }) => {
    expect(html.slice(0, 15)).toBe("<!doctype html>");
    expect(tags[0]).toEqual({ tag: "html", lang: locale, dir });
    expect(headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "content-language": locale });
    expect([count(tags, "title"), count(tags, "h1"), count(tags, "main"), count(tags, "style")]).toEqual([1, 1, 1, 1]);
  },
  "shows what others chose as text and in its own order": ({ html }) => {
    expect(/<script>alert|javascript:/.exec(html)).toBeNull();
    // A hidden value is sent back unchanged.
    expect(/\u202e/.exec(html.replace(/<input type="hidden"[^>]*>/g, ""))).toBeNull();
  },
  "needs nothing but itself: no style attribute, no handler, no request but for the icon": ({ tags }) => {
    // Frames of applications are what one page is for; its policy names their addresses.
    const names = tags.filter(({ tag }) => tag !== "iframe").flatMap((tag) => Object.keys(tag));
    expect(names.filter((name) => /^(style|on.*|src|srcset|poster|background)$/.test(name))).toEqual([]);
    expect(tags.filter(({ tag }) => tag === "link").map(({ href }) => href)).toEqual(["/favicon.svg"]);
  },
  "allows exactly its own style and script (CSP Level 3)": ({ html, headers }) => {
    const inline = [...html.matchAll(/<(style|script)>(.*?)<\/\1>/gs)].map(
      ([, tag, text = ""]) => `${tag}-src 'sha256-${createHash("sha256").update(text).digest("base64")}'`,
    );
    const policy = headers["content-security-policy"]?.split("; ") ?? [];
    expect(policy.filter((directive) => /^(style|script)-src/.test(directive))).toEqual(inline);
  },
  "says what the page is before what is wrong on it": ({ tags }) => {
    const places = tags.flatMap(({ tag, role }) => (tag === "h1" || role === "alert" ? [role ?? tag] : []));
    expect(places[0]).toBe("h1");
  },
  "ties labels, hints, errors and the summary to fields, repeats no id, and names every field as its id": ({
    tags,
  }) => {
    const ids = tags.flatMap(({ id }) => id ?? []);
    expect([...new Set(ids)]).toEqual(ids);
    const pointed = tags.flatMap((tag) => [
      ...(tag.for ? [tag.for] : []),
      ...(tag["aria-describedby"]?.split(" ") ?? []),
      ...(tag.href?.startsWith("#") ? [tag.href.slice(1)] : []),
    ]);
    expect(pointed.filter((id) => !ids.includes(id))).toEqual([]);
    const fields = tags.filter(({ tag, type }) => tag === "input" && type !== "hidden");
    expect(fields.filter(({ id, name }) => id !== name || !tags.some((tag) => tag.for === id))).toEqual([]);
    expect(tags.filter((tag) => "autofocus" in tag).length).toBeLessThanOrEqual(1);
  },
};

interface Shown {
  html: string;
  headers: Record<string, string>;
  tags: ReturnType<typeof tagsOf>;
  locale: (typeof told)[number]["tag"];
  dir: string;
}
const count = (tags: Shown["tags"], name: string) => tags.filter(({ tag }) => tag === name).length;

describe("every page", () => {
  it.each(Object.entries(everyPage))("%s", async (_, page) => {
    const cells = told.flatMap(({ tag: locale, dir }) => {
      const { html, headers } = page(frameOf(locale));
      const shown = { html, headers, tags: tagsOf(html), locale, dir };
      return Object.entries(FACTS).map(([fact, holds]) => [`in ${locale}, ${fact}`, () => holds(shown)] as const);
    });
    await everyCell(cells, (check) => check());
  });
});

const compressed = (html: string) => gzipSync(html, { level: 1 }).length;

/** The languages with the longest pages, of which every twentieth is looked at in all languages. */
const longest = (() => {
  const some = Object.values(everyPage).filter((_, index) => index % 20 === 0);
  const lengthIn = ({ tag }: (typeof locales)[number]) =>
    some.reduce((sum, page) => sum + compressed(page(frameOf(tag)).html), 0);
  const lengths = locales.map((locale) => ({ ...locale, length: lengthIn(locale) }));
  return lengths.sort((one, other) => other.length - one.length).slice(0, 6);
})();

describe.each(longest)("every page in $tag, where pages are long", ({ tag }) => {
  it("is small: under 9 kB compressed, 10 kB on the welcome page, 11 kB with a list of all time zones", () => {
    const most = (name: string) =>
      name.startsWith("own profile") ? 11_000 : name === "reset-password.first" ? 10_000 : 9000;
    const large = Object.entries(everyPage).flatMap(([name, page]) => {
      const { html } = page(frameOf(tag));
      // Most pages are small enough even at the fastest level, which compresses least.
      if (compressed(html) < most(name)) return [];
      const size = gzipSync(html).length;
      return size < most(name) ? [] : [[name, size]];
    });
    expect(large).toEqual([]);
  });
});
