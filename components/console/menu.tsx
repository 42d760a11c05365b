"use client";
// What can be done with one thing, behind one button.
import { Menu as Parts } from "@base-ui/react/menu";
import type { ReactNode } from "react";

export interface MenuEntry {
  id: string;
  label: ReactNode;
  /** A link; otherwise `onSelect`. */
  href?: string;
  onSelect?(): void;
  isDangerous?: boolean;
}

export function Menu({ id, label, entries }: { id: string; label: ReactNode; entries: readonly MenuEntry[] }) {
  return (
    <Parts.Root>
      <Parts.Trigger id={id} className="menu-trigger">
        {label}
      </Parts.Trigger>
      <Parts.Portal>
        <Parts.Positioner className="over" sideOffset={4} align="end">
          <Parts.Popup className="menu">
            {entries.map(({ id: entryId, label: text, href, onSelect, isDangerous }) =>
              href === undefined ? (
                <Parts.Item
                  key={entryId}
                  id={entryId}
                  className={isDangerous ? "menu-item danger" : "menu-item"}
                  onClick={onSelect}
                >
                  {text}
                </Parts.Item>
              ) : (
                <Parts.LinkItem key={entryId} id={entryId} className="menu-item" href={href}>
                  {text}
                </Parts.LinkItem>
              ),
            )}
          </Parts.Popup>
        </Parts.Positioner>
      </Parts.Portal>
    </Parts.Root>
  );
}
