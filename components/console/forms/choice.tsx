"use client";
// A field that selects one of very many options by typing; the server searches. The value is in a hidden field of the
// form. Until the script runs, the field accepts the id itself. The list is loaded when the field gets the focus.
import { type ReactNode, useId, useState } from "react";
import { useFieldProblem } from "../calls/problems";
import { onDemand } from "../parts/on-demand";
import type { EarlyInput } from "./choice-list";
import { type Choosable, isOpenText } from "./choosable";
import { useField } from "./form-state";
import { useReady } from "./use-ready";

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

const List = onDemand(() => import("./choice-list").then(({ ChoiceList }) => ChoiceList));

export function Choice({ name, label, hint, required, initial, search, emptyHint, onChoose }: ChoiceProps) {
  const id = useId();
  const problem = useFieldProblem(name);
  const [chosen, setChosen] = useState<Choosable | null>(initial ?? null);
  /** What the user did in the field before its list was loaded. */
  const [early, setEarly] = useState<EarlyInput>();
  const isForId = !useReady() && initial === undefined;
  const choose = (value: Choosable | null) => {
    setChosen(value);
    onChoose?.(value);
  };
  const type = (typed: string) => {
    setEarly({ isFocused: true, isOpen: true, typed });
    if (typed === "" && chosen) choose(null);
  };
  const open = () => setEarly((before) => ({ ...before, isFocused: true, isOpen: true }));
  const input = {
    id,
    name: isForId ? name : undefined,
    "data-field": name, // for its errors, as the hidden field has the name
    required,
    "aria-invalid": problem ? true : undefined,
    autoComplete: "off",
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint && <p className="hint">{hint}</p>}
      {problem && <p className="field-problem">{problem}</p>}
      <List.Part
        isWanted={early !== undefined}
        input={input}
        early={early}
        chosen={chosen}
        search={search}
        emptyHint={emptyHint}
        onChoose={choose}
        waiting={
          <input
            {...input}
            type="text"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={false}
            aria-haspopup="listbox"
            spellCheck={false}
            value={early?.typed ?? chosen?.label ?? ""}
            onPointerEnter={List.prepare}
            onFocus={() => setEarly((before) => ({ isOpen: false, ...before, isFocused: true }))}
            onBlur={() => setEarly((before) => before && { ...before, isFocused: false, isOpen: false })}
            onClick={open}
            onKeyDown={(event) => {
              if (event.key === "ArrowDown" || event.key === "ArrowUp") open();
              if (event.key === "Enter" && isOpenText(early?.typed, chosen)) event.preventDefault();
            }}
            onChange={({ target }) => type(target.value)}
          />
        }
      />
      <input type="hidden" name={isForId ? undefined : name} value={chosen?.value ?? ""} />
    </div>
  );
}
