/**
 * JSON that JSON.parse accepts and this service rejects. Objects with a repeated name (RFC 8259 §4): JSON.parse
 * silently uses the last value, other parsers the first, so a gateway could check one value while we store the other.
 * And excessive nesting (attack: a body of brackets that costs more to walk than to send).
 */

import { type ApiError, invalidArgument } from "./api-error";
import { reason } from "./reason";

export const JSON_FLAWS = ["repeated-name", "too-deep"] as const;
export type JsonFlaw = (typeof JSON_FLAWS)[number];

/** The maximum depth of objects and arrays (rule API-7). */
const MAX_DEPTH = 64;
/** The number of characters between two pauses. */
const PAUSE = 32_768;

/**
 * Finds the first flaw, in steps, so that a long text can be checked with pauses.
 * @param json any text; the result for invalid JSON is unspecified
 */
export function* jsonFlaws(json: string): Generator<undefined, JsonFlaw | undefined> {
  /** The names seen in each open object; undefined for an open array. */
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  let paused = 0;
  for (let at = 0; at < json.length; at++) {
    if (at - paused > PAUSE) {
      yield;
      paused = at;
    }
    switch (json[at]) {
      case "{":
      case "[":
        if (open.length === MAX_DEPTH) return "too-deep";
        isName = json[at] === "{";
        open.push(isName ? new Set() : undefined);
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case ",":
        isName = open.at(-1) !== undefined;
        break;
      case '"': {
        const end = closingQuote(json, at);
        if (isName) {
          const name = nameAt(json.slice(at, end + 1));
          const names = open.at(-1);
          if (names?.has(name)) return "repeated-name";
          names?.add(name);
        }
        isName = false;
        at = end;
      }
    }
  }
  return undefined;
}

export function flawRefusal(flaw: JsonFlaw): ApiError {
  return flaw === "too-deep"
    ? invalidArgument("request.invalid", `The body is nested deeper than ${MAX_DEPTH} levels. Send a flatter one.`, {
        reason: reason("depth", { n: MAX_DEPTH }),
      })
    : invalidArgument("request.repeated_member", "An object in the body has one name twice. Send each name once.");
}

/** Returns the name in a canonical form: "a" and "\u0061" are the same name. */
function nameAt(quoted: string): string {
  if (!quoted.includes("\\")) return quoted;
  try {
    return JSON.stringify(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

/** Returns the position of the closing quote, or the end of the text if it is missing. */
function closingQuote(json: string, opening: number): number {
  let end = json.indexOf('"', opening + 1);
  while (end > 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}
