/**
 * JSON objects that have one name twice (RFC 8259 §4). JSON.parse takes the last of them in silence, other readers the
 * first: what a gateway has checked would not be what is kept, and of two values somebody meant one would be lost.
 */

/** Whether some object has a name twice. @param json well-formed JSON */
export function hasRepeatedName(json: string): boolean {
  /** Names of the objects that are open, undefined for a list. */
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
