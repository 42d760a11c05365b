// The list of variables that opens when `{{` is typed: arrow keys select, Enter or Tab inserts, Escape closes. The
// focus stays in the text (aria-activedescendant).
import { type KeyboardEvent, useState } from "react";
import { matching, type OfferedVariable, openVariable } from "./braces";
import { insertText } from "./insert-text";

export interface Completion {
  offered: readonly OfferedVariable[];
  /** The index of the variable that Enter inserts. */
  active: number;
  /** Must be called after every change of the text. */
  look(area: HTMLTextAreaElement): void;
  /** Must be called when the caret has moved: updates the list, which only opens by typing. */
  follow(area: HTMLTextAreaElement): void;
  /** @returns whether the list handled the key */
  onKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean;
  take(area: HTMLTextAreaElement, variable: OfferedVariable): void;
  close(): void;
}

export function useCompletion(variables: readonly OfferedVariable[]): Completion {
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(0);
  const offered = typed === undefined ? [] : matching(variables, typed);
  const close = () => setTyped(undefined);

  const take = (area: HTMLTextAreaElement, { placeholder }: OfferedVariable) => {
    const open = openVariable(area.value, area.selectionStart);
    if (open) insertText(area, open.from, open.to, placeholder);
    close();
  };

  const look = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) => {
    const open = selectionStart === selectionEnd ? openVariable(value, selectionStart) : undefined;
    if (open?.typed !== typed) setActive(0);
    setTyped(open?.typed);
  };

  return {
    offered,
    active: Math.min(active, Math.max(0, offered.length - 1)),
    close,
    take,
    look,
    follow: (area) => {
      if (typed !== undefined) look(area);
    },
    onKey(event) {
      if (offered.length === 0 || event.nativeEvent.isComposing) return false;
      const last = offered.length - 1;
      const chosen = offered[Math.min(active, last)];
      switch (event.key) {
        case "ArrowDown":
          setActive(active >= last ? 0 : active + 1);
          break;
        case "ArrowUp":
          setActive(active <= 0 ? last : active - 1);
          break;
        case "Enter":
        case "Tab":
          if (event.shiftKey || !chosen) return false;
          take(event.currentTarget, chosen);
          break;
        case "Escape":
          close();
          break;
        default:
          return false;
      }
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}
