/** Texts as JSON with the names of the API: `{"language", "messages": {type: {field}}, "pages": {group: {key}}}`. */
import type { ReadUnit, Unreadable } from "./xliff";

export function writeJson(language: string, units: readonly { id: string; target: string }[]): string {
  const parts: Record<string, Record<string, Record<string, string>>> = { message: {}, page: {} };
  for (const { id, target } of units) {
    const [part = "", group = "", key = ""] = id.split(".");
    const groups = parts[part];
    if (groups) groups[group] = { ...groups[group], [key]: target };
  }
  return `${JSON.stringify({ language, messages: parts.message, pages: parts.page }, null, 2)}\n`;
}

/** Parses texts; omitted, null and empty ones are not translated. */
export function readJsonTexts(content: string): { targetLanguage: string; units: ReadUnit[] } | Unreadable {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch (error) {
    return { mistake: `This is no JSON: ${error instanceof Error ? error.message.slice(0, 200) : ""}` };
  }
  if (!isObject(parsed)) return { mistake: "The file must contain a JSON object." };
  const { language, messages = {}, pages = {}, ...rest } = parsed;
  const [stray] = Object.keys(rest);
  if (stray !== undefined) return { mistake: `${stray} is not known: language, messages and pages are.` };
  if (typeof language !== "string") return { mistake: "language is missing." };
  const units: ReadUnit[] = [];
  for (const [part, groups] of Object.entries({ message: messages, page: pages })) {
    if (!isObject(groups)) return { mistake: `${part}s must be an object.` };
    for (const [group, keys] of Object.entries(groups)) {
      if (!isObject(keys)) return { mistake: `${part}s.${group} must be an object.` };
      for (const [key, target] of Object.entries(keys)) {
        if (target === null) continue;
        if (typeof target !== "string") return { mistake: `${part}s.${group}.${key} must be a string.` };
        units.push({ id: `${part}.${group}.${key}`, target, line: 0 });
      }
    }
  }
  return { targetLanguage: language, units };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
