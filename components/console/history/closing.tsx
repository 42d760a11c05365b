"use client";
// Closes the panel of an event with Escape or its button; the focus returns to the element that opened it.
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
    // biome-ignore lint/a11y/noStaticElementInteractions: only handles events of its children
    <div ref={around} onKeyDown={press} onClick={click}>
      {children}
    </div>
  );
}
