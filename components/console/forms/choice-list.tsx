"use client";
// The field of a choice with its list, which replaces the plain field of choice.tsx when it is loaded.
import { Combobox as Parts } from "@base-ui/react/combobox";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type InputHTMLAttributes, type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { withQueries } from "../calls/queries";
import { type Choosable, isOpenText } from "./choosable";

/** What a user did in the plain field. */
export interface EarlyInput {
  isFocused: boolean;
  /** Whether the list would be open. */
  isOpen: boolean;
  typed?: string;
}

interface ChoiceListProps {
  input: InputHTMLAttributes<HTMLInputElement>;
  early: EarlyInput | undefined;
  chosen: Choosable | null;
  emptyHint: string | undefined;
  search(typed: string): Promise<readonly Choosable[]>;
  onChoose(chosen: Choosable | null): void;
}

function List({ input, early, chosen, search, emptyHint, onChoose }: ChoiceListProps) {
  const t = useTranslations();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(early?.typed ?? (early?.isOpen ? "" : undefined));
  const { data: found = [], isPlaceholderData } = useQuery({
    queryKey: ["choice", typed],
    queryFn: () => search(typed ?? ""),
    enabled: typed !== undefined,
    placeholderData: keepPreviousData,
  });
  const handedOver = useRef(early);
  // Before the next key, which would otherwise go nowhere. Typed text is typed again, so that the list opens with it.
  useLayoutEffect(() => {
    const { isFocused = false, typed: text } = handedOver.current ?? {};
    handedOver.current = undefined;
    if (!isFocused) return;
    field.current?.focus({ preventScroll: true });
    if (text !== undefined) queueMicrotask(() => field.current && typeInto(field.current, text));
  }, []);
  useLayoutEffect(() => {
    field.current?.setCustomValidity(input.required && isOpenText(typed, chosen) ? t("frame.fieldMissing") : "");
  });
  /** Enter selects the first result of the typed text, never one of an earlier text. */
  const press = (event: KeyboardEvent<HTMLInputElement> & { preventBaseUIHandler(): void }) => {
    if (event.key !== "Enter" || !isPlaceholderData) return;
    event.preventDefault();
    event.preventBaseUIHandler();
  };
  return (
    <Parts.Root
      items={found}
      filter={null}
      autoHighlight
      value={chosen}
      defaultOpen={early?.isOpen && early.typed === undefined}
      defaultInputValue={early?.isFocused ? chosen?.label : (early?.typed ?? chosen?.label)}
      isItemEqualToValue={(one, other) => one.value === other.value}
      onValueChange={onChoose}
      // If typing opens the list, the search has already started.
      onOpenChange={(isOpen, { reason }) => isOpen && reason !== "input-change" && setTyped("")}
      onInputValueChange={(value, { reason }) => {
        if (reason !== "item-press") setTyped(value);
      }}
    >
      <Parts.Input {...input} ref={field} onKeyDown={press} />
      <Parts.Portal>
        <Parts.Positioner className="over" sideOffset={4}>
          <Parts.Popup className="menu">
            <Parts.Empty className="menu-empty">
              {t("frame.nothingFound")}
              {emptyHint && typed && <p className="hint">{emptyHint}</p>}
            </Parts.Empty>
            <Parts.List>
              {(item: Choosable) => (
                <Parts.Item key={item.value} value={item} className="menu-item">
                  <bdi>{item.label}</bdi>
                  {item.detail && <bdi className="quiet">{item.detail}</bdi>}
                </Parts.Item>
              )}
            </Parts.List>
          </Parts.Popup>
        </Parts.Positioner>
      </Parts.Portal>
    </Parts.Root>
  );
}

/** Types as the browser does for keys: React takes an assignment for one of its own. */
function typeInto(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
  input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
}

export const ChoiceList = withQueries(List);
