// How the editor's state reads and writes messages.
import type { Answer } from "../../../shared/refusal";
import { addressIn, levelOfScope, type TextAddress, type TextScope, textAddress } from "./address";
import { ask } from "./ask";
import { operationsOn } from "./operations";
import { type TextsOverview, withCustomized } from "./overview";
import type { TextKind } from "./text-kind";
import { type SavedText, savedTextOf } from "./text-state";

export const keyOf = ({ type, language }: TextAddress): string => `${type}/${language}`;

export function messageKind(scope: TextScope): TextKind<TextAddress, TextsOverview> {
  const { explain, set, reset, keep } = operationsOn(scope);
  const level = levelOfScope(scope);
  return {
    keyOf,
    pathOf: (address) => textAddress(scope, address),
    addressIn: (path) => addressIn(scope, path),
    async read(at, signal) {
      return asSavedText(await ask(explain, { at, signal }), (body) => savedTextOf(level, body));
    },
    set: (at, values, ifMatch) => ask(set, { at, body: values, ifMatch }),
    reset: (at, ifMatch) => ask(reset, { at, ifMatch }),
    keep: (at) => ask(keep, { at }),
    noted: (overview, address, own) => withCustomized(overview, level, address, own),
  };
}

/** Converts the body of a successful response to the editor's format. */
export function asSavedText<Body>(answer: Answer<Body>, savedOf: (body: Body) => SavedText): Answer<SavedText> {
  return answer.ok ? { ...answer, body: savedOf(answer.body) } : answer;
}
