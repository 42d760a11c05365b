// All texts of a level as a file, in the format of the bootstrap file, and back; the changes of an import are listed
// first.
import { parseAddress, type TextAddress } from "./address";
import { MAIL_ORDER, type MessageType } from "./messages";
import { changedFields, type Values } from "./text-state";

export type FileText = TextAddress & Values;

/** Why a file cannot be read: the key of a sentence, and the entry concerned. */
export interface FileProblem {
  problem: "no_json" | "no_texts" | "unknown_text" | "wrong_field" | "twice";
  /** The number of the entry from 1; 0 for the whole file. */
  entry: number;
}

/**
 * Parses a file.
 * @param content the content: `{"messageTexts": […]}`, or the list itself
 * @param types all message types; likewise `languages`
 */
export function parseFile(
  content: string,
  types: readonly MessageType[],
  languages: readonly string[],
): FileText[] | FileProblem {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    return { problem: "no_json", entry: 0 };
  }
  const list = Array.isArray(parsed) ? parsed : (parsed as { messageTexts?: unknown } | null)?.messageTexts;
  if (!Array.isArray(list) || list.length === 0) return { problem: "no_texts", entry: 0 };
  const texts: FileText[] = [];
  for (const [index, entry] of list.entries()) {
    const text = parseEntry(entry, types, languages);
    if (typeof text === "string") return { problem: text, entry: index + 1 };
    if (texts.some(({ type, language }) => type === text.type && language === text.language)) {
      return { problem: "twice", entry: index + 1 };
    }
    texts.push(text);
  }
  return texts;
}

function parseEntry(
  entry: unknown,
  types: readonly MessageType[],
  languages: readonly string[],
): FileText | FileProblem["problem"] {
  if (typeof entry !== "object" || entry === null) return "unknown_text";
  const { type, language, ...fields } = entry as Record<string, unknown>;
  const tag = typeof language === "string" ? language.toLowerCase() : undefined;
  const address = typeof type === "string" ? parseAddress(type, tag) : undefined;
  if (!address || !types.includes(address.type) || !languages.includes(address.language)) return "unknown_text";
  const isField = ([name, value]: [string, unknown]) =>
    (MAIL_ORDER as readonly string[]).includes(name) && typeof value === "string";
  return Object.entries(fields).every(isField) ? { ...address, ...(fields as Values) } : "wrong_field";
}

export interface PlannedChange {
  address: TextAddress;
  values: Values;
  kind: "new" | "changed" | "same";
  fields: readonly string[];
}

/** Returns the changes of an import. Texts that the file does not contain are kept. */
export function planImport(present: readonly FileText[], given: readonly FileText[]): PlannedChange[] {
  return given.map(({ type, language, ...values }) => {
    const {
      type: _,
      language: __,
      ...own
    } = present.find((text) => text.type === type && text.language === language) ?? {
      type,
      language,
    };
    const fields = changedFields(own, values);
    const kind = fields.length === 0 ? "same" : Object.keys(own).length === 0 ? "new" : "changed";
    return { address: { type, language }, values, kind, fields };
  });
}
