"use client";
// A field that selects one of very many options by typing; the server searches. The value is in a hidden field of the
// form. Until the script runs, the field accepts the id itself.
import { Combobox as Parts } from "@base-ui/react/combobox";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useFieldProblem } from "../calls/problems";
import { withQueries } from "../calls/queries";
import { useField } from "./form-state";
import { useReady } from "./use-ready";

export interface Choosable {
  value: string;
  label: string;
  /** Distinguishes the option from others with the same label. */
  detail?: string;
}

export interface ChoiceProps {
  name: string;
  label: string;
  hint?: ReactNode;
  required?: boolean;
  /** The initial selection. */
  initial?: Choosable;
  /** What helps if nothing is found. */
  emptyHint?: string;
  /** Returns the results for the typed text, a few dozen at most. */
  search(typed: string): Promise<readonly Choosable[]>;
  onChoose?(chosen: Choosable | null): void;
}

/** The field of a form that an operation sends. */
export function ChoiceField(props: ChoiceProps) {
  const { name, label, initial = null, onChoose } = props;
  const { change } = useField<Choosable | null>({
    name,
    label,
    initial,
    toJson: (chosen) => chosen?.value,
    inWords: (chosen) => (chosen ? [chosen.label] : []),
  });
  const choose = (chosen: Choosable | null) => {
    change(chosen);
    onChoose?.(chosen);
  };
  return <Choice {...props} onChoose={choose} />;
}

function ChoiceInput({ name, label, hint, required, initial, search, emptyHint, onChoose }: ChoiceProps) {
  const t = useTranslations();
  const id = useId();
  const problem = useFieldProblem(name);
  const [typed, setTyped] = useState<string>();
  const { data: found = [], isPlaceholderData } = useQuery({
    queryKey: ["choice", id, typed],
    queryFn: () => search(typed ?? ""),
    enabled: typed !== undefined,
    placeholderData: keepPreviousData,
  });
  const [chosen, setChosen] = useState<Choosable | null>(initial ?? null);
  const isForId = !useReady() && initial === undefined;
  const isOpenText = required && !isForId && chosen === null && Boolean(typed?.trim());
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
      isItemEqualToValue={(one, other) => one.value === other.value}
      onValueChange={(value) => {
        setChosen(value);
        onChoose?.(value);
      }}
      // If typing opens the list, the search has already started.
      onOpenChange={(isOpen, { reason }) => isOpen && reason !== "input-change" && setTyped("")}
      onInputValueChange={(value, { reason }) => {
        if (reason !== "item-press") setTyped(value);
      }}
    >
      <div className="field">
        <label htmlFor={id}>{label}</label>
        {hint && <p className="hint">{hint}</p>}
        {problem && <p className="field-problem">{problem}</p>}
        <Parts.Input
          id={id}
          ref={(input: HTMLInputElement | null) => input?.setCustomValidity(isOpenText ? t("frame.fieldMissing") : "")}
          onKeyDown={press}
          name={isForId ? name : undefined}
          data-field={name} // for its errors, as the hidden field has the name
          required={required}
          aria-invalid={problem ? true : undefined}
          autoComplete="off"
        />
        <input type="hidden" name={isForId ? undefined : name} value={chosen?.value ?? ""} />
      </div>
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

export const Choice = withQueries(ChoiceInput);
