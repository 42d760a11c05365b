"use client";
// The menu that shows and hides the optional columns of a list.
import { useTranslations } from "next-intl";
import { type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import { useRefresh } from "../calls/refresh";
import { Icon } from "../parts/icons";
import { columnsCookie, type ListName } from "./columns";

export interface ColumnChooserProps {
  list: ListName;
  choices: readonly { id: string; label: string; isDefault: boolean }[];
  /** The columns that are shown or hidden unlike the default, when the page was rendered. */
  toggled: readonly string[];
}

export function ColumnChooser({ list, choices, toggled }: ColumnChooserProps) {
  const t = useTranslations();
  const refresh = useRefresh();
  const [now, setNow] = useState(toggled);
  const menu = useRef<HTMLDetailsElement>(null);
  const toggle = (id: string) => {
    const next = now.includes(id) ? now.filter((one) => one !== id) : [...now, id];
    setNow(next);
    // biome-ignore lint/suspicious/noDocumentCookie: supported browsers may lack the Cookie Store API
    document.cookie = columnsCookie(document.cookie, list, next);
    refresh();
  };
  const close = () => {
    if (menu.current) menu.current.open = false;
  };
  const press = ({ key }: KeyboardEvent) => {
    if (key !== "Escape" || !menu.current?.open) return;
    close();
    menu.current.querySelector("summary")?.focus();
  };
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) close();
  };
  return (
    <details ref={menu} className="column-chooser" onKeyDown={press} onBlur={leave}>
      <summary>
        <Icon name="columns" />
        <span>{t("frame.columns")}</span>
      </summary>
      <fieldset className="menu">
        <legend className="hidden">{t("frame.columns")}</legend>
        {choices.map(({ id, label, isDefault }) => (
          <label key={id} className="menu-check">
            <input type="checkbox" checked={isDefault !== now.includes(id)} onChange={() => toggle(id)} />
            {label}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
