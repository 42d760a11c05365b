"use client";
// Short messages about the last action. They are announced and disappear, so they never contain information that is not
// also on the page.
import { Toast } from "@base-ui/react/toast";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const t = useTranslations();
  const { toasts } = Toast.useToastManager();
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

/** Returns a function that shows a short message. */
export function useToast(): (text: string) => void {
  const { add } = Toast.useToastManager();
  return (text) => void add({ title: text });
}
