/**
 * Parses the JSON of protocol buffers clients with the strict schemas of the operations (rule API-7). It accepts names
 * in snake_case and enum numbers. Unknown members and nulls without a meaning are ignored and reported instead of
 * rejected. Known members are validated strictly.
 */
import type { z } from "zod";
import { wordIssue } from "../../protocol/input-issues";
import { valueOfNumber } from "./enum-numbers";

export type LenientResult =
  | { success: true; data: unknown; ignored: readonly string[] }
  /** With the names that were sent in snake_case, by the paths of the members. */
  | { success: false; error: z.ZodError; ignored: readonly string[]; sentAs: ReadonlyMap<string, string> }
  /** The path of a member that is present in both spellings. */
  | { success: false; repeated: string };

/** Each pass finds the issues that the corrections of the previous pass exposed: at most one renaming per level. */
const MAX_PASSES = 12;

type Path = readonly PropertyKey[];
interface Wrong {
  issue: z.core.$ZodIssue;
  path: Path;
}

/** @param given parsed JSON; it is not changed */
export function parseLeniently(schema: z.ZodType, given: unknown): LenientResult {
  let draft = given;
  const ignored: string[] = [];
  /** The names that were sent, by the path under which they are known. */
  const sentAs = new Map<string, string>();
  for (let pass = 0; ; pass++) {
    const parsed = schema.safeParse(draft, { error: wordIssue });
    if (parsed.success) return { success: true, data: parsed.data, ignored };
    if (pass === 0) draft = structuredClone(given);
    let corrections = 0;
    for (const { issue, path } of wrongIn(parsed.error.issues, [])) {
      if (issue.code === "unrecognized_keys") {
        const outcome = takeUnknown(draft, path, issue.keys, sentAs, ignored);
        if (outcome !== undefined) return { success: false, repeated: outcome };
        corrections++;
      } else if (dropNull(draft, path)) {
        ignored.push(pathText(path));
        corrections++;
      } else if (issue.code === "invalid_value" && replaceNumber(draft, path, issue.values)) corrections++;
    }
    if (corrections === 0 || pass === MAX_PASSES) {
      return { success: false, error: parsed.error, ignored, sentAs };
    }
  }
}

/** All issues with their full path; for unions those of the best-matching alternative. */
function* wrongIn(issues: readonly z.core.$ZodIssue[], above: Path): Generator<Wrong> {
  for (const issue of issues) {
    const path = [...above, ...issue.path];
    if (issue.code === "invalid_union") {
      const [best] = [...issue.errors].sort((one, other) => weight(one) - weight(other));
      if (best) yield* wrongIn(best, path);
    } else yield { issue, path };
  }
}

/**
 * The distance of an alternative from the value. Unknown members and numbers of enums can be corrected, the rest
 * cannot.
 */
const weight = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce((sum, { code }) => sum + (code === "unrecognized_keys" ? 1 : code === "invalid_value" ? 2 : 1_000), 0);

/**
 * Renames members in snake_case and removes unknown ones.
 * @returns the path of a member that was sent in both spellings
 */
function takeUnknown(
  draft: unknown,
  path: Path,
  keys: readonly string[],
  sentAs: Map<string, string>,
  ignored: string[],
): string | undefined {
  const object = valueAt(draft, path) as Record<string, unknown>;
  const unknown = new Set(keys);
  for (const key of keys) {
    const at = pathText([...path, key]);
    const sent = sentAs.get(at);
    const name = key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    if (sent === undefined && name !== key && !unknown.has(name)) {
      // The other spelling is a member that is known, and was sent too.
      if (Object.hasOwn(object, name)) return pathText([...path, name]);
      object[name] = object[key];
      sentAs.set(pathText([...path, name]), key);
    } else ignored.push(pathText([...path, sent ?? key]));
    delete object[key];
  }
  return undefined;
}

/** Removes a null without a meaning (proto3 JSON mapping: "null is an accepted value for all field types"). */
function dropNull(draft: unknown, path: Path): boolean {
  const key = path.at(-1);
  const holder = valueAt(draft, path.slice(0, -1));
  if (typeof key !== "string" || typeof holder !== "object" || holder === null || Array.isArray(holder)) return false;
  const members = holder as Record<string, unknown>;
  return Object.hasOwn(members, key) && members[key] === null && delete members[key];
}

function replaceNumber(draft: unknown, path: Path, allowed: readonly unknown[]): boolean {
  const key = path.at(-1);
  const holder = valueAt(draft, path.slice(0, -1)) as Record<PropertyKey, unknown> | undefined;
  const number = key === undefined ? undefined : holder?.[key];
  if (key === undefined || holder === undefined || typeof number !== "number") return false;
  const name = valueOfNumber(number, allowed);
  if (name === undefined) return false;
  holder[key] = name;
  return true;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key)),
    "",
  );

/** The maximum number of names, and the maximum length of a name. */
const MAX_NAMED = 20;
const MAX_NAME_LENGTH = 100;

/**
 * What was ignored, for a header field (RFC 9110 §5.5: visible ASCII; anything else percent-encoded, so that no name
 * ends the field): `nickname, profile.age`; `…` means that more were ignored.
 */
export function ignoredHeader(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMED).map((path) => asciiName([...path].slice(0, MAX_NAME_LENGTH).join("")));
  return [...named, ...(paths.length > MAX_NAMED ? ["..."] : [])].join(", ");
}

const asciiName = (name: string): string =>
  name
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/[^\w.[\]-]/gu, (character) => encodeURIComponent(character).replace(/^[^%].*$/, escapeOf));

/** The characters that encodeURIComponent does not encode: `!` `'` `(` `)` `*` `~`. */
const escapeOf = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
