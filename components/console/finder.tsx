"use client";
// Finds places to go to by typing: a dialog with one field and the results in groups, which works by keyboard alone.
import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog as Parts } from "@base-ui/react/dialog";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef, useState } from "react";

export interface Destination {
  href: string;
  label: string;
  /** Distinguishes it from others with the same label. */
  detail?: string;
}

export interface PlaceGroup {
  /** The heading of the group. */
  value: string;
  items: readonly Destination[];
}

export interface FinderProps {
  id: string;
  /** The content of the button. */
  trigger: ReactNode;
  /** The name of the dialog and of its field. */
  label: string;
  /** Finds results for what was typed; it may show them several times, better each time. */
  search(typed: string, show: (groups: readonly PlaceGroup[]) => void): void;
  /** A key that opens it together with Ctrl or ⌘. */
  shortcut?: string;
}

export function Finder({ id, trigger, label, search, shortcut }: FinderProps) {
  const t = useTranslations();
  const [isOpen, setOpen] = useState(false);
  const [groups, setGroups] = useState<readonly PlaceGroup[]>([]);
  const asked = useRef(0);

  useEffect(() => {
    if (shortcut === undefined) return;
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== shortcut || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      document.getElementById(id)?.click(); // so that the focus has somewhere to go back to
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [id, shortcut]);

  const ask = (typed: string) => {
    const turn = ++asked.current;
    search(typed.trim(), (found) => {
      // An earlier request may be answered later.
      if (turn === asked.current) setGroups(found.filter(({ items }) => items.length > 0));
    });
  };
  const turn = (wanted: boolean) => {
    setOpen(wanted);
    if (wanted) ask("");
  };

  return (
    <Parts.Root open={isOpen} onOpenChange={turn}>
      <Parts.Trigger id={id} className="finder-trigger">
        {trigger}
      </Parts.Trigger>
      <Parts.Portal>
        <Parts.Backdrop className="backdrop" />
        <Parts.Popup className="dialog finder" aria-label={label}>
          <Autocomplete.Root open inline items={groups} filter={null} autoHighlight="always" onValueChange={ask}>
            <div className="dialog-head">
              <Autocomplete.Input aria-label={label} placeholder={label} />
              <Parts.Close className="plain icon" aria-label={t("frame.close")}>
                <span aria-hidden="true">×</span>
              </Parts.Close>
            </div>
            <Autocomplete.Empty className="menu-empty">{t("frame.nothingFound")}</Autocomplete.Empty>
            <Autocomplete.List className="finder-list">
              {(group: PlaceGroup) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className="page-group-name">{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(place: Destination) => (
                      <Autocomplete.Item
                        key={place.href}
                        value={place}
                        className="menu-item"
                        onClick={() => location.assign(place.href)}
                      >
                        <bdi>{place.label}</bdi>
                        {place.detail && <bdi className="quiet">{place.detail}</bdi>}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Parts.Popup>
      </Parts.Portal>
    </Parts.Root>
  );
}
