// Tracks whether the user has changed the values of a form, and which ones.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type Control, controlsOf } from "./form-body";

export interface Edits {
  isEdited: boolean;
  /** Treats the sent controls as saved; defaults to the current content of the form. */
  keep(sent?: readonly Control[]): void;
  /** The content of the form when it was last kept. */
  kept(): readonly Control[];
  /** Changes with each `discard`. As the key of the fields, it restores their initial values. */
  round: number;
  discard(): void;
}

export interface EditsOptions {
  /** Differs whenever the page has read other values, which are then shown unless the user's input would be lost. */
  version?: string;
  /**
   * Called on each edit, and when a state is kept: the current content, the initial content (if the user was faster
   * than the script), or the sent content (if the user went on typing during the request).
   */
  onLook?(form: HTMLFormElement, kept?: "now" | "first" | "sent"): void;
}

export function useEdits(form: RefObject<HTMLFormElement | null>, { version, onLook }: EditsOptions = {}): Edits {
  const kept = useRef("[]");
  const hear = useRef(onLook);
  hear.current = onLook;
  const shownVersion = useRef(version);
  const [isEdited, setEdited] = useState(false);
  /** The state at the last edit: values that the page has read since then only change untouched fields. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round has new fields
  useEffect(begin, [begin, round]);

  useEffect(() => {
    const shown = form.current;
    const lookNow = () => {
      note(stateOf(shown) !== kept.current);
      if (shown) hear.current?.(shown);
    };
    // Checked again in the next frame, because a button of the form may add or remove a control.
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

  // Untouched fields show the values that the page has read again, which are the saved ones.
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

/** Whether the user changed the form before its script ran, so that its content differs from the saved values. */
const isEditedEarly = (form: HTMLFormElement | null): boolean =>
  [...(window.earlyActs?.edited.keys() ?? [])].some((control) => form?.contains(control));

const stateOf = (form: HTMLFormElement | null, isFirst = false): string =>
  form ? JSON.stringify(controlsOf(form, isFirst)) : "[]";
