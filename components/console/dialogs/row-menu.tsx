"use client";
// The menu of a row: the actions that are needed rarely, or that destroy something, so that they do not repeat as
// buttons in every row.
import { Menu } from "@base-ui/react/menu";

export interface RowMenuProps {
  id: string;
  /** The name of the button, with the name of the row. */
  label: string;
  actions: readonly { id: string; label: string; isDanger?: boolean; onChoose(): void }[];
}

export function RowMenu({ id, label, actions }: RowMenuProps) {
  // Within the landmark of the page, where screen readers look for it. The menu is rendered in browsers only.
  const main = globalThis.document?.querySelector("main");
  return (
    <Menu.Root>
      <Menu.Trigger id={id} className="plain icon" aria-label={label}>
        <span aria-hidden="true">⋯</span>
      </Menu.Trigger>
      <Menu.Portal container={main}>
        <Menu.Positioner className="over" sideOffset={4} align="end">
          <Menu.Popup className="menu">
            {actions.map(({ id, label, isDanger, onChoose }) => (
              <Menu.Item key={id} id={id} className={isDanger ? "menu-item danger" : "menu-item"} onClick={onChoose}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
