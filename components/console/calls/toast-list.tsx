"use client";
// The visible part of the short messages, which is loaded with the first of them (toasts.tsx).
import { Toast } from "@base-ui/react/toast";
import { useTranslations } from "next-intl";
import { useEffect } from "react";

export interface ToastListProps {
  /** Called with the function that shows a message. */
  onReady(show: (text: string) => void): void;
}

/**
 * How long the region is on the page before its first message, in milliseconds. Screen readers only read what is added
 * to a region that they know.
 */
const BEFORE_FIRST = 150;

export const ToastList = (props: ToastListProps) => (
  <Toast.Provider>
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <List {...props} />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);

function List({ onReady }: ToastListProps) {
  const t = useTranslations();
  const { toasts, add } = Toast.useToastManager();
  useEffect(() => {
    const timer = setTimeout(() => onReady((text) => void add({ title: text })), BEFORE_FIRST);
    return () => clearTimeout(timer);
  }, [onReady, add]);
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Content className="toast-content">
        <Toast.Title render={<p />} />
        <Toast.Close className="plain" aria-label={t("frame.close")}>
          <span aria-hidden="true">×</span>
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
