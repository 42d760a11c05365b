"use client";
// Short words on what was just done. They are announced and go away by themselves, so nothing is told by them alone:
// what was done also shows on the page.
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

/** Says something in passing. */
export function useToast(): (text: string) => void {
  const { add } = Toast.useToastManager();
  return (text) => void add({ title: text });
}
