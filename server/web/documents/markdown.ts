/**
 * Renders documents of the repository as HTML. They are trusted, but HTML in them is escaped, so that a sample in a
 * text can never become part of a page.
 */
import { Marked, type Tokens } from "marked";

/** The text below one heading, for the search. */
export interface Section {
  /** The anchor of the heading; empty before the first. */
  anchor: string;
  heading: string;
  /** Plain text. */
  text: string;
}

export interface RenderedDocument {
  title: string;
  html: string;
  sections: Section[];
}

export interface LinkTarget {
  address: string;
  /** The size of a picture in CSS pixels, which reserves its space, so that nothing moves when it loads. */
  size?: { width: number; height: number } | undefined;
}

/**
 * Renders a document.
 * @param resolve returns the target of a link or picture; undefined if it is not served
 */
export function renderMarkdown(source: string, resolve: (target: string) => LinkTarget | undefined): RenderedDocument {
  const anchors = new Map<string, number>();
  const sections: Section[] = [{ anchor: "", heading: "", text: "" }];
  let title = "";

  const marked = new Marked({
    gfm: true,
    renderer: {
      heading(token) {
        const { depth, tokens } = token;
        const { anchor } = token as Partial<Anchored>;
        const id = anchor === undefined ? "" : ` id="${escaped(anchor)}"`;
        return `<h${depth}${id}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      html: ({ text }) => (/^\s*<!--[\s\S]*-->\s*$/.test(text) ? "" : escaped(text)),
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = resolve(href);
        return target === undefined ? text : `<a href="${escaped(target.address)}">${text}</a>`;
      },
      image({ href, text }) {
        const target = resolve(href);
        if (target === undefined) return escaped(text);
        const { address, size } = target;
        const room = size ? ` width="${size.width}" height="${size.height}"` : "";
        return `<img src="${escaped(address)}" alt="${escaped(text)}"${room}>`;
      },
      // Tables and samples may be wider than a phone: they scroll, and are focusable so that the keyboard can scroll
      // them.
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      table({ header, rows }) {
        const row = (cells: Tokens.TableCell[], tag: "td" | "th") =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        const body = rows.map((cells) => row(cells, "td")).join("");
        return `<div class="wide" tabindex="0"><table><thead>${row(header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(source);
  for (const token of tokens) {
    if (token.type === "heading") {
      const heading = plainText(token as Tree);
      if (token.depth === 1 && title === "") title = heading;
      const anchor = uniqueAnchor(anchors, heading);
      (token as Anchored).anchor = anchor;
      sections.push({ anchor, heading, text: "" });
    } else {
      const section = sections.at(-1);
      if (section && token.type !== "html") section.text += `${plainText(token as Tree)} `;
    }
  }
  const html = marked.parser(tokens);
  return { title, html, sections: sections.filter(({ heading, text }) => heading !== "" || text.trim() !== "") };
}

type Anchored = Tokens.Heading & { anchor: string };

/** A block or a word, with its content. */
interface Tree {
  type?: string;
  text?: string;
  tokens?: Tree[];
  items?: Tree[];
  header?: Tree[];
  rows?: Tree[][];
}

function plainText({ text = "", tokens, items, header, rows }: Tree): string {
  if (rows) return [...(header ?? []), ...rows.flat()].map(plainText).join(" ");
  if (items) return items.map(plainText).join(" ");
  return tokens ? tokens.map(plainText).join("") : text;
}

/** Returns the anchor that GitHub generates, so that links between documents work in both places. */
function uniqueAnchor(known: Map<string, number>, heading: string): string {
  const anchor = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
  const count = known.get(anchor) ?? 0;
  known.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
