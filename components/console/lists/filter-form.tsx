"use client";
// The form of a list's search and filters. A value that is chosen with the pointer applies at once; with the keyboard,
// where arrow keys pass other values, Enter or the search button applies it (WCAG 2.2, 3.2.2).
import { useTranslations } from "next-intl";
import { type FormEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Icon } from "../parts/icons";

export function FilterForm({ path, children }: { path: string; children: ReactNode }) {
  const form = useRef<HTMLFormElement>(null);
  const pressed = useRef<EventTarget>(undefined);
  // Filters that are not set stay out of the address.
  useEffect(() => {
    const tidy = ({ formData }: FormDataEvent) => {
      for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
      if (!formData.has("from") && !formData.has("to")) formData.delete("zone");
    };
    const { current } = form;
    current?.addEventListener("formdata", tidy);
    return () => current?.removeEventListener("formdata", tidy);
  }, []);
  const press = ({ target }: PointerEvent) => {
    pressed.current = target;
  };
  const choose = ({ target, currentTarget }: FormEvent<HTMLFormElement>) => {
    if (target instanceof HTMLSelectElement && pressed.current === target) currentTarget.requestSubmit();
  };
  return (
    <form
      ref={form}
      action={path}
      className="filters"
      onPointerDown={press}
      onKeyDown={() => {
        pressed.current = undefined;
      }}
      onChange={choose}
    >
      {children}
    </form>
  );
}

interface FilterPanelProps {
  /** The number of filters that are set. */
  active: number;
  /** Whether some filters are only shown on request on a wide screen too. */
  hasMore?: boolean;
  children: ReactNode;
}

/** The filters: on a phone they are hidden until the reader opens them. */
export function FilterPanel({ active, hasMore = false, children }: FilterPanelProps) {
  const t = useTranslations();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={hasMore ? "filters-button" : "filters-button narrow"}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="filter" />
        {t("frame.filters")}
        {active > 0 && <span className="count">{active}</span>}
      </button>
      <div id={id} className="chips" data-open={isOpen ? "" : undefined}>
        {children}
      </div>
    </>
  );
}
