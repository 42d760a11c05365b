/**
 * JSON objects that use a name twice (RFC 8259 §4). JSON.parse silently takes the last value, other readers the first:
 * a gateway could check one value while we store the other.
 */

/** Whether some object has a name twice. @param json well-formed JSON */
export function hasRepeatedName(json: string): boolean {
  /** The names seen in each open object; undefined for an open array. */
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case "{":
        open.push(new Set());
        isName = true;
        break;
      case "[":
        open.push(undefined);
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
          const name = JSON.parse(json.slice(at, end + 1)) as string; // "a" and "\u0061" are one name
          if (open.at(-1)?.has(name)) return true;
          open.at(-1)?.add(name);
        }
        isName = false;
        at = end;
      }
    }
  }
  return false;
}

function closingQuote(json: string, opening: number): number {
  let at = opening + 1;
  while (json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}
