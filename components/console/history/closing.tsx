"use client";
// Escape and its button close the panel of an event; the focus goes back to what opened it.
import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from "react";

export function Closing({ children }: { children: ReactNode }) {
  const around = useRef<HTMLDivElement>(null);
  const close = () => {
    const open = around.current?.querySelector<HTMLDetailsElement>("details[open]");
    if (!open) return;
    open.open = false;
    open.querySelector("summary")?.focus();
  };
  const press = ({ key }: KeyboardEvent) => {
    if (key === "Escape") close();
  };
  const click = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest("[data-close]")) close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens to what happens inside
    <div ref={around} onKeyDown={press} onClick={click}>
      {children}
    </div>
  );
}
