"use client";
// Content that is rendered when it is opened: most readers leave it closed, and its elements would cost every page. A
// browser without scripts gets it with the page.
import { type ReactNode, useEffect, useRef, useState } from "react";

export interface FoldedProps {
  className?: string;
  summary: ReactNode;
  children: ReactNode;
}

export function Folded({ className, summary, children }: FoldedProps) {
  const [isUsed, setUsed] = useState(false);
  const own = useRef<HTMLDetailsElement>(null);
  const use = () => setUsed(true);
  useEffect(() => setUsed(own.current?.open === true), []); // opened before the scripts ran
  return (
    <details ref={own} className={className} onToggle={use}>
      {/* Before it opens, so that it does not open empty. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the element is a button by itself */}
      <summary onClick={use}>{summary}</summary>
      {isUsed && children}
      <noscript>{children}</noscript>
    </details>
  );
}
