"use client";
// The window of a dialog, which is loaded when a dialog is first opened (dialog.tsx).
import { Dialog as Parts } from "@base-ui/react/dialog";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

export interface DialogWindowProps {
  title: ReactNode;
  description?: ReactNode;
  /** Whether it can only be closed by a button inside it. */
  isBinding?: boolean;
  children: ReactNode;
  open: boolean;
  onOpenChange(open: boolean): void;
  /** Returns the element that gets the focus after closing; undefined for the previously focused one. */
  returnTo(): HTMLElement | undefined;
}

export function DialogWindow({
  title,
  description,
  open,
  onOpenChange,
  isBinding,
  returnTo,
  children,
}: DialogWindowProps) {
  const t = useTranslations();
  return (
    <Parts.Root
      open={open}
      onOpenChange={(wanted, details) => {
        if (isBinding && details.reason === "escape-key") details.cancel();
        else onOpenChange(wanted);
      }}
      disablePointerDismissal={isBinding}
    >
      <Parts.Portal>
        <Parts.Backdrop className="backdrop" />
        <Parts.Popup className="dialog" finalFocus={() => returnTo() ?? true}>
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
