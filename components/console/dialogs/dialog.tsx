"use client";
// A modal dialog. It traps the focus, Escape closes it, and the focus then returns to the previous element.
import { type ReactNode, useRef, useState } from "react";
import { onDemand } from "../parts/on-demand";
import type { DialogWindowProps } from "./dialog-window";

export interface DialogProps extends Pick<DialogWindowProps, "title" | "description" | "isBinding" | "children"> {
  /** The button that opens the dialog; without it, `open` controls the dialog. */
  trigger?: { id: string; label: ReactNode; look?: "primary" | "danger" | "plain" };
  open?: boolean;
  onOpenChange?(open: boolean): void;
  onClose?(): void;
  /** Returns the element that gets the focus after closing; undefined for the previously focused one. */
  returnTo?(): HTMLElement | undefined;
}

const Window = onDemand(() => import("./dialog-window").then(({ DialogWindow }) => DialogWindow));

export function Dialog({ trigger, open, onOpenChange, onClose, returnTo, ...content }: DialogProps) {
  const [isOwnOpen, setOwnOpen] = useState(false);
  const isOpen = open ?? isOwnOpen;
  const isUsed = useRef(false);
  isUsed.current ||= isOpen; // most dialogs of a page are never opened
  const button = useRef<HTMLButtonElement>(null);
  const turn = (wanted: boolean) => {
    if (open === undefined) setOwnOpen(wanted);
    onOpenChange?.(wanted);
    if (!wanted) onClose?.();
  };
  return (
    <>
      {trigger && (
        <button
          ref={button}
          type="button"
          id={trigger.id}
          className={trigger.look}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onPointerEnter={Window.prepare}
          onFocus={Window.prepare}
          onClick={() => turn(true)}
        >
          {trigger.label}
        </button>
      )}
      {isUsed.current && (
        <Window.Part
          {...content}
          open={isOpen}
          onOpenChange={turn}
          returnTo={() => returnTo?.() ?? button.current ?? undefined}
        />
      )}
    </>
  );
}
