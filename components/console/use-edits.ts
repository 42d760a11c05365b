// Whether somebody has changed what a form shows.
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { controlsOf } from "./form-body";

export interface Edits {
  isEdited: boolean;
  /** What stands in the form now is what is saved. */
  keep(): void;
  /** Changes with each `discard`: as the key of the fields it brings back what they began with. */
  round: number;
  discard(): void;
}

export function useEdits(form: RefObject<HTMLFormElement | null>): Edits {
  const kept = useRef<string>(undefined);
  const [isEdited, setEdited] = useState(false);
  const [round, setRound] = useState(0);

  const keep = useCallback(() => {
    kept.current = stateOf(form.current);
    setEdited(false);
  }, [form]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields are new in each round
  useEffect(keep, [keep, round]);

  useEffect(() => {
    const shown = form.current;
    // Later, as a button of the form may add or remove a control.
    const look = () => requestAnimationFrame(() => setEdited(stateOf(shown) !== kept.current));
    const happenings = ["input", "change", "click"];
    for (const each of happenings) shown?.addEventListener(each, look);
    return () => {
      for (const each of happenings) shown?.removeEventListener(each, look);
    };
  }, [form]);

  const discard = useCallback(() => setRound((round) => round + 1), []);
  return { isEdited, keep, round, discard };
}

const stateOf = (form: HTMLFormElement | null): string => (form ? JSON.stringify(controlsOf(form)) : "");
