"use client";
// A dialog that finds places to go to: one field and grouped results, usable by keyboard alone.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { onDemand } from "../parts/on-demand";
import type { FinderWindowProps } from "./finder-window";

export interface FinderProps extends Pick<FinderWindowProps, "label" | "search"> {
  id: string;
  /** The content of the button. */
  trigger: ReactNode;
  /** A key that opens the dialog together with Ctrl or ⌘. */
  shortcut?: string;
}

const Window = onDemand(() => import("./finder-window").then(({ FinderWindow }) => FinderWindow));

const keysOf = (letter: string): string => `Control+${letter.toUpperCase()} Meta+${letter.toUpperCase()}`;

export function Finder({ id, trigger, label, search, shortcut }: FinderProps) {
  const [isOpen, setOpen] = useState(false);
  const isUsed = useRef(false);
  isUsed.current ||= isOpen;
  const button = useRef<HTMLButtonElement>(null);
  const earlyKeys = useRef<string[]>([]);

  useEffect(() => {
    if (shortcut === undefined) return;
    const pressAnywhere = (event: KeyboardEvent) => {
      if (event.key === "Control" || event.key === "Meta") Window.prepare();
      if (event.key.toLowerCase() !== shortcut || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      document.getElementById(id)?.click(); // so that the focus can return to the button
    };
    addEventListener("keydown", pressAnywhere);
    return () => removeEventListener("keydown", pressAnywhere);
  }, [id, shortcut]);

  return (
    <>
      <button
        ref={button}
        type="button"
        id={id}
        className="finder-trigger"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-keyshortcuts={shortcut && keysOf(shortcut)}
        onPointerEnter={Window.prepare}
        onFocus={Window.prepare}
        onClick={() => setOpen((wasOpen) => !wasOpen)}
      >
        {trigger}
      </button>
      {isUsed.current && (
        <Window.Part
          label={label}
          search={search}
          isOpen={isOpen}
          onOpen={setOpen}
          earlyKeys={earlyKeys.current}
          returnTo={() => button.current}
          waiting={isOpen && <KeepKeys keys={earlyKeys.current} onEscape={() => setOpen(false)} />}
        />
      )}
    </>
  );
}

/** Keeps the keys that are pressed until the window is loaded: users type right after the shortcut. */
function KeepKeys({ keys, onEscape }: { keys: string[]; onEscape(): void }) {
  const close = useRef(onEscape);
  useEffect(() => {
    keys.length = 0;
    const keep = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") return close.current();
      if (event.key === "Backspace") keys.pop();
      else if (event.key.length === 1 || event.key === "Enter") keys.push(event.key);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener("keydown", keep, true);
    return () => removeEventListener("keydown", keep, true);
  }, [keys]);
  return null;
}
