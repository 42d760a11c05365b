"use client";
// The frame of an event's details. It gets the focus when it opens, so that a screen reader reads it; Escape closes it,
// and the focus returns to the link of the row.
import { useTranslations } from "next-intl";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";

interface EventAsideProps {
  position: string;
  title: ReactNode;
  /** The address of the list without the details. */
  closeHref: string;
  children: ReactNode;
}

export function EventAside({ position, title, closeHref, children }: EventAsideProps) {
  const t = useTranslations();
  const heading = useRef<HTMLHeadingElement>(null);
  const closing = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    heading.current?.focus();
    return () => document.getElementById(`e-${position}`)?.focus();
  }, [position]);
  const press = ({ key, target, currentTarget }: KeyboardEvent) => {
    // Escape in a dialog that the panel has opened closes that dialog.
    if (key === "Escape" && currentTarget.contains(target as Node)) closing.current?.click();
  };
  return (
    <section className="card event-panel" aria-labelledby="event-title" onKeyDown={press}>
      <div className="event-said">
        <h2 id="event-title" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <a ref={closing} className="button icon" href={closeHref} data-stay="">
          <span aria-hidden="true">×</span>
          <span className="hidden">{t("frame.close")}</span>
        </a>
      </div>
      {children}
    </section>
  );
}
