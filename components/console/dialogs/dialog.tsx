"use client";
// A modal dialog. It traps the focus, Escape closes it, and the focus then returns to the previous element.
import { Dialog as Parts } from "@base-ui/react/dialog";
import { useTranslations } from "next-intl";
import { type ReactNode, useRef } from "react";

export interface DialogProps {
  title: ReactNode;
  description?: ReactNode;
  /** The button that opens the dialog; without it, `open` controls the dialog. */
  trigger?: { id: string; label: ReactNode; look?: "primary" | "danger" | "plain" };
  open?: boolean;
  onOpenChange?(open: boolean): void;
  onClose?(): void;
  /** Whether it can only be closed by a button inside it. */
  isBinding?: boolean;
  /** Returns the element that gets the focus after closing; undefined for the previously focused one. */
  returnTo?(): HTMLElement | undefined;
  children: ReactNode;
}

export function Dialog(props: DialogProps) {
  const { title, description, trigger, open, onOpenChange, onClose, isBinding, returnTo, children } = props;
  const t = useTranslations();
  const isUsed = useRef(false);
  isUsed.current ||= open === true || trigger !== undefined;
  if (!isUsed.current) return null; // most dialogs of a page are never opened
  return (
    <Parts.Root
      open={open}
      onOpenChange={(wanted, details) => {
        if (isBinding && details.reason === "escape-key") return details.cancel();
        onOpenChange?.(wanted);
        if (!wanted) onClose?.();
      }}
      disablePointerDismissal={isBinding}
    >
      {trigger && (
        <Parts.Trigger id={trigger.id} className={trigger.look}>
          {trigger.label}
        </Parts.Trigger>
      )}
      <Parts.Portal>
        <Parts.Backdrop className="backdrop" />
        <Parts.Popup className="dialog" finalFocus={returnTo && (() => returnTo() ?? true)}>
          <div className="dialog-head">
            <Parts.Title className="dialog-title">{title}</Parts.Title>
            {!isBinding && (
              <Parts.Close className="plain icon" aria-label={t("frame.close")}>
                <span aria-hidden="true">×</span>
              </Parts.Close>
            )}
          </div>
          {description && <Parts.Description>{description}</Parts.Description>}
          {children}
        </Parts.Popup>
      </Parts.Portal>
    </Parts.Root>
  );
}
