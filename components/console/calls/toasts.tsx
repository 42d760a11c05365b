"use client";
// Short messages about the last action. They are announced and disappear, so they never contain information that is not
// also on the page.
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { onDemand } from "../parts/on-demand";

const List = onDemand(() => import("./toast-list").then(({ ToastList }) => ToastList));

const ToastContext = createContext<(text: string) => void>(() => {});

export function Toasts({ children }: { children: ReactNode }) {
  const [isUsed, setUsed] = useState(false);
  const waiting = useRef<string[]>([]);
  const show = useRef((text: string): void => {
    waiting.current.push(text);
  });
  const begin = useCallback((add: (text: string) => void) => {
    show.current = add;
    for (const text of waiting.current.splice(0)) add(text);
  }, []);
  const say = useCallback((text: string) => {
    setUsed(true);
    show.current(text);
  }, []);
  return (
    <ToastContext value={say}>
      {children}
      {isUsed && <List.Part onReady={begin} />}
    </ToastContext>
  );
}

/** Returns a function that shows a short message. */
export const useToast = (): ((text: string) => void) => useContext(ToastContext);
