// Whether somebody has changed what a form shows, and what.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { isEditedEarly } from "./early-acts";
import { type Control, controlsOf } from "./form-body";

export interface Edits {
  isEdited: boolean;
  /** What was sent is what is saved; by default what stands in the form now. */
  keep(sent?: readonly Control[]): void;
  /** What stood in the form when it was kept. */
  kept(): readonly Control[];
  /** Changes with each `discard`: as the key of the fields it brings back what they began with. */
  round: number;
  discard(): void;
}

export interface EditsOptions {
  /** Differs whenever the page has read other values: then they are shown, unless it would take away what is typed. */
  version?: string;
  /**
   * Hears of each edit, and of what is kept: what stands there now, what stood there at first, where somebody was
   * quicker than the script, or what was sent, where somebody went on typing meanwhile.
   */
  onLook?(form: HTMLFormElement, kept?: "now" | "first" | "sent"): void;
}

export function useEdits(form: RefObject<HTMLFormElement | null>, { version, onLook }: EditsOptions = {}): Edits {
  const kept = useRef("[]");
  const hear = useRef(onLook);
  hear.current = onLook;
  const shownVersion = useRef(version);
  const [isEdited, setEdited] = useState(false);
  /** As of the last edit: what the page has read since changes fields that nobody has touched. */
  const wasEdited = useRef(false);
  const note = useCallback((is: boolean) => {
    wasEdited.current = is;
    setEdited(is);
  }, []);
  const [round, setRound] = useState(0);

  const keep = useCallback(
    (sent?: readonly Control[]) => {
      const now = stateOf(form.current);
      kept.current = sent ? JSON.stringify(sent) : now;
      note(form.current !== null && now !== kept.current);
      if (form.current) hear.current?.(form.current, sent ? "sent" : "now");
    },
    [form, note],
  );
  const begin = useCallback(() => {
    if (!isEditedEarly(form.current)) return keep();
    kept.current = stateOf(form.current, true);
    note(true);
    if (form.current) hear.current?.(form.current, "first");
  }, [form, keep, note]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields are new in each round
  useEffect(begin, [begin, round]);

  useEffect(() => {
    const shown = form.current;
    const lookNow = () => {
      note(stateOf(shown) !== kept.current);
      if (shown) hear.current?.(shown);
    };
    // Again later, as a button of the form may add or remove a control.
    const look = () => {
      lookNow();
      requestAnimationFrame(lookNow);
    };
    const happenings = ["input", "change", "click"];
    for (const each of happenings) shown?.addEventListener(each, look);
    return () => {
      for (const each of happenings) shown?.removeEventListener(each, look);
    };
  }, [form, note]);

  // Fields that nobody has touched show what the page has read anew, which is what is saved.
  useLayoutEffect(() => {
    if (!wasEdited.current) kept.current = stateOf(form.current);
  });
  const discard = useCallback(() => setRound((round) => round + 1), []);
  useLayoutEffect(() => {
    if (version === shownVersion.current) return;
    shownVersion.current = version;
    if (!wasEdited.current) discard();
  }, [version, discard]);
  return { isEdited, keep, kept: () => JSON.parse(kept.current) as Control[], round, discard };
}

const stateOf = (form: HTMLFormElement | null, isFirst = false): string =>
  form ? JSON.stringify(controlsOf(form, isFirst)) : "[]";
