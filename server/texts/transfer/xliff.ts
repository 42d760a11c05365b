/**
 * Texts as XLIFF 2.0 (OASIS, xliff-core-v2.0), the files that translators' programs read and write. A variable is a
 * placeholder (`ph`), which those programs keep whole; line breaks are kept. A file is read with a library, and what it
 * may hold is little: no document type, so that nothing is fetched or expanded (attacks: XXE, entity expansion), no more
 * than a few elements within each other, and no more bytes than the API takes.
 */
import { DOMImplementation, DOMParser, type Element, type Node, XMLSerializer } from "@xmldom/xmldom";
import { parseTemplate } from "../template";

const NAMESPACE = "urn:oasis:names:tc:xliff:document:2.0";
/** Elements within each other; XLIFF needs no ten. */
const MAX_DEPTH = 40;
/** All texts of a language are some five thousand; a hundred thousand are read in a third of a second. */
const MAX_ELEMENTS = 100_000;

export interface XliffUnit {
  id: string;
  source: string;
  target: string;
  /** For the translator. */
  note: string;
}

export interface XliffFile {
  sourceLanguage: string;
  targetLanguage: string;
  units: readonly XliffUnit[];
}

/** Characters that XML has not, which no text that was checked has either. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is taken out
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

export function writeXliff({ sourceLanguage, targetLanguage, units }: XliffFile): string {
  const document = new DOMImplementation().createDocument(NAMESPACE, "xliff");
  const add = (parent: Element, name: string, attributes: Readonly<Record<string, string>> = {}) => {
    const element = document.createElementNS(NAMESPACE, name);
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
    parent.appendChild(element);
    return element;
  };
  const root = document.documentElement as Element;
  root.setAttribute("version", "2.0");
  root.setAttribute("srcLang", sourceLanguage);
  root.setAttribute("trgLang", targetLanguage);
  const file = add(root, "file", { id: "texts" });
  file.setAttributeNS("http://www.w3.org/XML/1998/namespace", "xml:space", "preserve");
  for (const { id, source, target, note } of units) {
    const unit = add(file, "unit", { id });
    add(add(unit, "notes"), "note").appendChild(document.createTextNode(note));
    const segment = add(unit, "segment", { state: "translated" });
    for (const [name, text] of [
      ["source", source],
      ["target", target],
    ] as const) {
      const element = add(segment, name);
      let count = 0;
      for (const part of parseTemplate(text.replace(UNWRITABLE, "\ufffd"))) {
        if (part.kind !== "variable") element.appendChild(document.createTextNode(part.text));
        else add(element, "ph", { id: String(++count), equiv: part.text, disp: part.text });
      }
    }
  }
  // Readers take a carriage return for a line break unless it is written so (XML 1.0 §2.11), which the library does not.
  const written = new XMLSerializer().serializeToString(document).replaceAll("\r", "&#13;");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written}\n`;
}

export interface ReadUnit {
  id: string;
  target: string;
  /** In the file, from 1. */
  line: number;
}

/** Why a file cannot be read, in English, with its place in the file. */
export interface Unreadable {
  mistake: string;
}

/** The translated units; those without a target, or with one for a part only, are left out. */
export function readXliff(content: string): { targetLanguage: string; units: ReadUnit[] } | Unreadable {
  if (/<!DOCTYPE/i.test(content)) return { mistake: "A document type is not accepted." };
  const excess = excessIn(content);
  if (excess !== undefined) return { mistake: excess };
  let found: string | undefined;
  let root: Element | null = null;
  try {
    const parser = new DOMParser({
      locator: true,
      // As XML 1.0 §2.11 has it. The library's own is that of XML 1.1, which makes a line break of U+0085 and U+2028, too.
      normalizeLineEndings: (text) => text.replace(/\r\n?/g, "\n"),
      onError(level, message, context) {
        if (level === "warning") return;
        const { lineNumber = 0, columnNumber = 0 } = (context as { locator?: Place })?.locator ?? {};
        found ??= `Line ${lineNumber}, column ${columnNumber}: ${firstLine(message)}`;
        // One mistake is enough: the library would go on, and come upon millions in a file that is made of them (attack: it
        // looks for the end of the file at each, and everybody waits).
        throw new Error(found);
      },
    });
    root = parser.parseFromString(content, "text/xml").documentElement;
  } catch (error) {
    found ??= firstLine(error instanceof Error ? error.message : String(error));
  }
  if (found !== undefined) return { mistake: found };
  if (
    root?.localName !== "xliff" ||
    root.namespaceURI !== NAMESPACE ||
    !/^2\./.test(root.getAttribute("version") ?? "")
  ) {
    return { mistake: "This is no XLIFF 2 file." };
  }
  const units: ReadUnit[] = [];
  for (const unit of Array.from(root.getElementsByTagNameNS(NAMESPACE, "unit"))) {
    const segments = elementsOf(unit).filter(({ localName }) => localName === "segment" || localName === "ignorable");
    const targets = segments.map((segment) => elementsOf(segment).find(({ localName }) => localName === "target"));
    const line = (unit as unknown as Place).lineNumber ?? 0;
    if (targets.length === 0 || targets.includes(undefined)) continue;
    const variables = variablesIn(unit);
    const target = targets.map((one) => (one ? contentOf(one, variables) : "")).join("");
    units.push({ id: unit.getAttribute("id") ?? "", target, line });
  }
  return { targetLanguage: root.getAttribute("trgLang") ?? "", units };
}

interface Place {
  lineNumber?: number;
  columnNumber?: number;
}

const firstLine = (text: string) => (text.split("\n")[0] ?? "").slice(0, 200);

/** Before it is parsed, as what parses and reads it goes into each element. */
function excessIn(content: string): string | undefined {
  let depth = 0;
  let count = 0;
  for (const [, closing, end] of content.matchAll(/<(\/?)[\p{L}_][^<>]*?(\/?)>/gu)) {
    if (closing) depth--;
    else if (++count > MAX_ELEMENTS) return `There are more than ${MAX_ELEMENTS} elements.`;
    else if (!end && ++depth > MAX_DEPTH) return `More than ${MAX_DEPTH} elements stand within each other.`;
  }
  return undefined;
}

const elementsOf = (parent: Element): Element[] =>
  Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === 1);

/** The variables of the unit by the ids of their placeholders: a target may name one by its id alone. */
function variablesIn(unit: Element): Map<string, string> {
  const places = Array.from(unit.getElementsByTagNameNS(NAMESPACE, "ph"));
  return new Map(
    places.flatMap((place) => {
      const equiv = place.getAttribute("equiv") || place.getAttribute("disp");
      return equiv ? [[place.getAttribute("id") ?? "", equiv] as const] : [];
    }),
  );
}

/** The text of a target: what marks it up is of the translator's program, and left out. */
function contentOf(element: Element, variables: ReadonlyMap<string, string>): string {
  return Array.from(element.childNodes)
    .map((node: Node): string => {
      if (node.nodeType === 3 || node.nodeType === 4) return node.nodeValue ?? "";
      if (node.nodeType !== 1) return "";
      const inner = node as Element;
      if (inner.localName === "ph")
        return inner.getAttribute("equiv") || variables.get(inner.getAttribute("id") ?? "") || "";
      if (inner.localName === "cp")
        return String.fromCodePoint(Number.parseInt(inner.getAttribute("hex") ?? "", 16) % 0x110000 || 0xfffd);
      return contentOf(inner, variables);
    })
    .join("");
}
