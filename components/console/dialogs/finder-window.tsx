"use client";
// The window of a finder: one field and grouped results. It is loaded when it is first opened (finder.tsx).
import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog as Parts } from "@base-ui/react/dialog";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
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

export interface FinderWindowProps {
  /** The name of the dialog and of its field. */
  label: string;
  /** Finds results for the typed text; it may call `show` several times with better results. */
  search(typed: string, show: (groups: readonly DestinationGroup[]) => void): void;
  isOpen: boolean;
  onOpen(isOpen: boolean): void;
  /** The keys that were pressed while the window was loaded. */
  earlyKeys: string[];
  /** Returns the element that gets the focus after closing. */
  returnTo(): HTMLElement | null;
}

export function FinderWindow({ label, search, isOpen, onOpen, earlyKeys, returnTo }: FinderWindowProps) {
  const t = useTranslations();
  const [groups, setGroups] = useState<readonly DestinationGroup[]>([]);
  const [typed, setTyped] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const begin = useTurn();
  /** Whether there are results for the current text; until then the list shows those of the previous text. */
  const isFound = useRef(false);
  /** Whether Enter was pressed before the results arrived. */
  const isAwaited = useRef(false);

  const show = useGoTo();
  const goTo = (place: Destination) => {
    onOpen(false);
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
  const turned = useEffectEvent(() => {
    if (!isOpen) {
      begin(); // a result that arrives now must not navigate
      setTyped("");
      return;
    }
    const keys = earlyKeys.splice(0);
    const text = keys.length > 0 ? keys.filter((key) => key !== "Enter").join("") : typed;
    setTyped(text);
    ask(text);
    if (text !== "") isAwaited.current = keys.includes("Enter");
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the window is opened or closed
  useEffect(() => turned(), [isOpen]);
  // The field gets the focus a moment after the window is shown; a key that is pressed before goes there, too.
  useEffect(() => {
    if (!isOpen) return;
    const lead = ({ key, target, ctrlKey, metaKey, altKey }: globalThis.KeyboardEvent) => {
      if (key.length > 1 || ctrlKey || metaKey || altKey) return;
      const field = input.current;
      if (!field?.closest(".dialog")?.contains(target as Node)) field?.focus();
    };
    addEventListener("keydown", lead, true);
    return () => removeEventListener("keydown", lead, true);
  }, [isOpen]);

  return (
    <Parts.Root open={isOpen} onOpenChange={onOpen}>
      <Parts.Portal>
        <Parts.Backdrop className="backdrop" />
        <Parts.Popup className="dialog finder" aria-label={label} finalFocus={returnTo}>
          <Autocomplete.Root
            open
            inline
            items={groups}
            filter={null}
            autoHighlight="always"
            value={typed}
            onValueChange={(text) => {
              setTyped(text);
              ask(text);
            }}
          >
            <div className="dialog-head">
              <Autocomplete.Input ref={input} aria-label={label} placeholder={label} onKeyDown={press} />
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
