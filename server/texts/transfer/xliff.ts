/**
 * Texts as XLIFF 2.0 (OASIS, xliff-core-v2.0), the file format of translation programs. A variable is a placeholder
 * (`ph`), which those programs keep intact; line breaks are kept. A file is parsed as a stream, in slices, so that a
 * large one does not block other requests. Document types are rejected (attacks: XXE, entity expansion), and depth,
 * elements and attributes are limited.
 */
import { SaxesParser, type SaxesTagNS } from "saxes";
import { inSlices } from "../../concurrency/pauses";
import { escapeMarkup, parseTemplate } from "../template";

const NAMESPACE = "urn:oasis:names:tc:xliff:document:2.0";
/** Nested elements; XLIFF needs fewer than ten. */
const MAX_DEPTH = 40;
/** All texts of a language are about five thousand elements. */
const MAX_ELEMENTS = 100_000;
/** Attributes of one element, namespace declarations included. */
const MAX_ATTRIBUTES = 20;
/** Characters parsed before other requests may run. */
const CHUNK = 16_384;

export interface XliffUnit {
  id: string;
  source: string;
  /** Undefined: not translated yet. */
  target: string | undefined;
  /** A note for the translator. */
  note: string;
}

export interface XliffFile {
  sourceLanguage: string;
  targetLanguage: string;
  units: readonly XliffUnit[];
}

/** Characters that XML does not allow; checked texts do not contain them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is taken out
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

export function writeXliff({ sourceLanguage, targetLanguage, units }: XliffFile): string {
  const written = units.map(({ id, source, target, note }) => {
    const state = target === undefined ? "initial" : "translated";
    const translation = target === undefined ? "" : `<target>${inlineOf(target)}</target>`;
    const segment = `<segment state="${state}"><source>${inlineOf(source)}</source>${translation}</segment>`;
    return `<unit id="${escapeXml(id)}"><notes><note>${escapeXml(note)}</note></notes>${segment}</unit>`;
  });
  const languages = `srcLang="${escapeXml(sourceLanguage)}" trgLang="${escapeXml(targetLanguage)}"`;
  const file = `<file id="texts" xml:space="preserve">${written.join("")}</file>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="${NAMESPACE}" version="2.0" ${languages}>${file}</xliff>\n`;
}

/** Returns a text with its variables as placeholders. */
function inlineOf(text: string): string {
  let count = 0;
  const parts = parseTemplate(text.replace(UNWRITABLE, "\ufffd")).map((part) => {
    if (part.kind !== "variable") return escapeXml(part.text);
    const name = escapeXml(part.text);
    return `<ph id="${++count}" equiv="${name}" disp="${name}"/>`;
  });
  return parts.join("");
}

/** Parsers normalize a carriage return to a line break unless it is a character reference (XML 1.0 §2.11). */
const escapeXml = (text: string) => escapeMarkup(text.replace(UNWRITABLE, "\ufffd")).replaceAll("\r", "&#13;");

export interface ReadUnit {
  id: string;
  target: string;
  /** Line in the file, from 1. */
  line: number;
}

/** Why a file cannot be read, in English, with the position in the file. */
export interface Unreadable {
  mistake: string;
}

type ReadFile = { targetLanguage: string; units: ReadUnit[] };

/** Reads the translated units. Units without a complete target are omitted. */
export async function readXliff(content: string): Promise<ReadFile | Unreadable> {
  try {
    return await inSlices(unitsIn(content));
  } catch (error) {
    if (error instanceof Mistake) return { mistake: error.message };
    throw error;
  }
}

/** Ends parsing at the first mistake: a file may contain millions of them. */
class Mistake extends Error {}

/** A part of a target: text, or the id of a placeholder, whose variable is named in the source. */
type Piece = string | { placeholder: string };

interface Unit {
  id: string;
  line: number;
  depth: number;
  /** The first target of each segment, as far as it was read. */
  segments: (Piece[] | undefined)[];
  /** Variables by placeholder id: a target may refer to one by its id alone. */
  variables: Map<string, string>;
}

function* unitsIn(content: string): Generator<undefined, ReadFile> {
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: "1.0", forceXMLVersion: true, position: false });
  const refuse = (mistake: string): never => {
    throw new Mistake(mistake);
  };
  const file: ReadFile = { targetLanguage: "", units: [] };
  const open: string[] = [];
  let elements = 0;
  let attributes = 0;
  let unit: Unit | undefined;
  /** The open target that receives text, and the depth of its element. */
  let target: { pieces: Piece[]; depth: number } | undefined;
  /** The depth of an element in a target whose content is not text. */
  let skipped: number | undefined;

  parser.on("error", ({ message }) =>
    refuse(`Line ${parser.line}, column ${parser.column}: ${(message.split("\n")[0] ?? "").slice(0, 200)}`),
  );
  parser.on("doctype", () => refuse("A document type is not accepted."));
  parser.on("opentagstart", () => {
    attributes = 0;
    if (++elements > MAX_ELEMENTS) refuse(`There are more than ${MAX_ELEMENTS} elements.`);
    if (open.length >= MAX_DEPTH) refuse(`More than ${MAX_DEPTH} elements are nested.`);
  });
  parser.on("attribute", () => {
    if (++attributes > MAX_ATTRIBUTES) refuse(`An element has more than ${MAX_ATTRIBUTES} attributes.`);
  });
  parser.on("opentag", (tag) => {
    const at = (name: string) => tag.attributes[name]?.value ?? "";
    open.push(tag.local);
    const depth = open.length;
    if (depth === 1) file.targetLanguage = languageOf(tag);
    if (!unit) {
      if (tag.local !== "unit" || tag.uri !== NAMESPACE) return;
      unit = { id: at("id"), line: parser.line, depth, segments: [], variables: new Map() };
    } else if (depth === unit.depth + 1 && (tag.local === "segment" || tag.local === "ignorable")) {
      unit.segments.push(undefined);
    } else if (isFirstTarget(unit, open)) {
      target = { pieces: [], depth };
      unit.segments[unit.segments.length - 1] = target.pieces;
    } else if (tag.local === "ph" && tag.uri === NAMESPACE) {
      const variable = at("equiv") || at("disp");
      if (variable) unit.variables.set(at("id"), variable);
      if (skipped !== undefined) return;
      target?.pieces.push(at("equiv") || { placeholder: at("id") });
      skipped = depth;
    } else if (tag.local === "cp" && skipped === undefined) {
      target?.pieces.push(characterOf(at("hex")));
      skipped = depth;
    }
  });
  const addText = (text: string) => {
    if (skipped === undefined) target?.pieces.push(text);
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const depth = open.length;
    if (skipped === depth) skipped = undefined;
    if (target?.depth === depth) target = undefined;
    if (unit?.depth === depth) {
      file.units.push(...translationOf(unit));
      unit = undefined;
    }
    open.pop();
  });

  for (let start = 0; start < content.length; start += CHUNK) {
    parser.write(content.slice(start, start + CHUNK));
    yield;
  }
  parser.close();
  return file;
}

/** Returns the target language of the root element. */
function languageOf({ local, uri, attributes }: SaxesTagNS): string {
  const isXliff = local === "xliff" && uri === NAMESPACE && /^2\./.test(attributes.version?.value ?? "");
  if (!isXliff) throw new Mistake("This is no XLIFF 2 file.");
  return attributes.trgLang?.value ?? "";
}

/** Returns whether the innermost open element is the first target of a segment. */
function isFirstTarget({ depth, segments }: Unit, open: readonly string[]): boolean {
  const isInSegment = open.length === depth + 2 && /^(?:segment|ignorable)$/.test(open.at(-2) ?? "");
  return isInSegment && open.at(-1) === "target" && segments.at(-1) === undefined;
}

/** Returns the character that `cp` names by its code point, or U+FFFD. */
function characterOf(hex: string): string {
  const code = /^[0-9a-f]{1,6}$/i.test(hex) ? Number.parseInt(hex, 16) : 0;
  return String.fromCodePoint(code > 0 && code < 0x110000 ? code : 0xfffd);
}

/** Returns the unit with its whole target; empty if a segment has no target. */
function translationOf({ id, line, segments, variables }: Unit): ReadUnit[] {
  if (segments.length === 0 || segments.includes(undefined)) return [];
  const pieces = segments.flatMap((segment) => segment ?? []);
  const target = pieces.map((piece) => (typeof piece === "string" ? piece : (variables.get(piece.placeholder) ?? "")));
  return [{ id, target: target.join(""), line }];
}
