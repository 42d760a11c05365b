"use client";
// A dialog that finds places to go to: one field and grouped results, usable by keyboard alone.
import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog as Parts } from "@base-ui/react/dialog";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useGoTo } from "../calls/refresh";
import { useTurn } from "../calls/use-turn";

export interface Destination {
  href: string;
  label: string;
  /** Distinguishes the destination from others with the same label. */
  detail?: string;
}

export interface DestinationGroup {
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
  /** Finds results for the typed text; it may call `show` several times with better results. */
  search(typed: string, show: (groups: readonly DestinationGroup[]) => void): void;
  /** A key that opens the dialog together with Ctrl or ⌘. */
  shortcut?: string;
}

const keysOf = (letter: string): string => `Control+${letter.toUpperCase()} Meta+${letter.toUpperCase()}`;

export function Finder({ id, trigger, label, search, shortcut }: FinderProps) {
  const t = useTranslations();
  const [isOpen, setOpen] = useState(false);
  const [groups, setGroups] = useState<readonly DestinationGroup[]>([]);
  const begin = useTurn();
  /** Whether there are results for the current text; until then the list shows those of the previous text. */
  const isFound = useRef(false);
  /** Whether Enter was pressed before the results arrived. */
  const isAwaited = useRef(false);

  useEffect(() => {
    if (shortcut === undefined) return;
    const pressAnywhere = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== shortcut || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      document.getElementById(id)?.click(); // so that the focus can return to the button
    };
    addEventListener("keydown", pressAnywhere);
    return () => removeEventListener("keydown", pressAnywhere);
  }, [id, shortcut]);

  const show = useGoTo();
  const goTo = (place: Destination) => {
    setOpen(false);
    show(place.href);
  };
  const ask = (typed: string) => {
    const isLast = begin();
    isFound.current = false;
    isAwaited.current = false;
    search(typed.trim(), (found) => {
      if (!isLast()) return; // an earlier request may get its response later
      const shown = found.filter(({ items }) => items.length > 0);
      setGroups(shown);
      const first = shown[0]?.items[0];
      isFound.current = first !== undefined;
      if (first && isAwaited.current) goTo(first);
    });
  };
  const press = (event: KeyboardEvent<HTMLInputElement> & { preventBaseUIHandler(): void }) => {
    if (event.key !== "Enter" || isFound.current) return;
    event.preventDefault();
    event.preventBaseUIHandler(); // it would select a result of the previous text
    isAwaited.current = true;
  };
  const turn = (wanted: boolean) => {
    setOpen(wanted);
    if (wanted) ask("");
    else begin(); // a result that arrives now must not navigate
  };

  return (
    <Parts.Root open={isOpen} onOpenChange={turn}>
      <Parts.Trigger id={id} className="finder-trigger" aria-keyshortcuts={shortcut && keysOf(shortcut)}>
        {trigger}
      </Parts.Trigger>
      <Parts.Portal>
        <Parts.Backdrop className="backdrop" />
        <Parts.Popup className="dialog finder" aria-label={label}>
          <Autocomplete.Root open inline items={groups} filter={null} autoHighlight="always" onValueChange={ask}>
            <div className="dialog-head">
              <Autocomplete.Input aria-label={label} placeholder={label} onKeyDown={press} />
              <Parts.Close className="plain icon" aria-label={t("frame.close")}>
                <span aria-hidden="true">×</span>
              </Parts.Close>
            </div>
            <Autocomplete.Empty className="menu-empty">{t("frame.nothingFound")}</Autocomplete.Empty>
            <Autocomplete.List className="finder-list">
              {(group: DestinationGroup) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className="page-group-name">{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(place: Destination) => (
                      <Autocomplete.Item
                        key={place.href}
                        value={place}
                        className="menu-item"
                        onClick={() => goTo(place)}
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
