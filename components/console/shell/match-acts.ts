// Finds the acts that typed words ask for: "reset password maria" names an act and the user it is done to.
import { plain } from "../lists/closest-first";

/** An act with the words by which it is found. */
export interface WordedAct<Act> {
  act: Act;
  /** Its name and further words for it. */
  words: string;
  /** Whether it is done to something, which the words after or before its own name. */
  hasObject: boolean;
}

export interface MatchedAct<Act> {
  act: Act;
  /** The words that name the object; empty if none is named. */
  object: string;
}

/** A word that is too short to mean an act alone. */
const SHORT = 2;

/** Returns the acts, those first of whose words more were typed, then those that begin with the first one. */
export function matchActs<Act>(acts: readonly WordedAct<Act>[], typed: string): MatchedAct<Act>[] {
  const wanted = typed.trim().split(/\s+/).filter(Boolean);
  const matched = acts.flatMap(({ act, words, hasObject }) => {
    const own = plain(words).split(/[\s,]+/);
    const isOwn = (word: string | undefined) => word !== undefined && own.some((one) => one.startsWith(plain(word)));
    let start = 0;
    while (isOwn(wanted[start])) start++;
    let end = wanted.length;
    // The act may also follow its object: "maria reset password".
    if (start === 0) while (end > 0 && isOwn(wanted[end - 1])) end--;
    const said = start > 0 ? wanted.slice(0, start) : wanted.slice(end);
    const object = (start > 0 ? wanted.slice(start) : wanted.slice(0, end)).join(" ");
    if (said.every((word) => word.length <= SHORT) || (object !== "" && !hasObject)) return [];
    const begins = own[0]?.startsWith(plain(said[0] ?? "")) ? 1 : 0;
    return [{ act, object, rank: 2 * said.length + begins }];
  });
  return matched.sort((one, other) => other.rank - one.rank).map(({ act, object }) => ({ act, object }));
}
