"use client";
// The menu of a row with its button, which replaces the plain button of row-menu.tsx when it is first opened.
import { Menu } from "@base-ui/react/menu";
import { useRef } from "react";

export interface RowMenuProps {
  id: string;
  /** The name of the button, with the name of the row. */
  label: string;
  actions: readonly { id: string; label: string; isDanger?: boolean; onChoose(): void }[];
}

export function RowMenuWindow({ id, label, actions }: RowMenuProps) {
  // Within the landmark of the page, where screen readers look for it. The menu is rendered in browsers only.
  const main = globalThis.document?.querySelector("main");
  const first = useRef<HTMLElement>(null);
  const isFirstTime = useRef(true);
  // Base UI does it when it sees the press, but the first one has loaded the menu.
  const focusFirst = (isOpen: boolean) => {
    if (isOpen && isFirstTime.current) first.current?.focus();
    isFirstTime.current = false;
  };
  return (
    <Menu.Root defaultOpen onOpenChangeComplete={focusFirst}>
      <Menu.Trigger id={id} className="plain icon" aria-label={label}>
        <span aria-hidden="true">⋯</span>
      </Menu.Trigger>
      <Menu.Portal container={main}>
        <Menu.Positioner className="over" sideOffset={4} align="end">
          <Menu.Popup className="menu">
            {actions.map(({ id, label, isDanger, onChoose }, index) => (
              <Menu.Item
                key={id}
                ref={index === 0 ? first : undefined}
                id={id}
                className={isDanger ? "menu-item danger" : "menu-item"}
                onClick={onChoose}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
