// Describes the fields of a form in words, as displayed to the user, and finds the changes between two snapshots.
import { type FormControl, heldBy } from "./form-body";
import type { ShownChange } from "./will-change";

/** One setting: a field, or all fields of a list. */
export interface Fact {
  name: string;
  label: string;
  isList: boolean;
  /** The values as they are sent. */
  said: string;
  /** The values in words; empty if there is no value. */
  values: readonly string[];
}

/** The effects of changing a setting on the affected users, by field name. */
export interface Effects {
  /** The effect of any change. */
  changed?: Readonly<Record<string, string>>;
  /** The effect of removing an entry from a list. */
  taken?: Readonly<Record<string, string>>;
}

interface Words {
  on: string;
  off: string;
  nothing: string;
}

/** Replaces values that must not be readable on the screen. */
const HIDDEN = "••••••••";

/**
 * Describes the fields of a form.
 * @param isFirst whether to describe the initial values
 */
export function factsOf(form: HTMLFormElement, words: Words, isFirst = false): Fact[] {
  const facts = new Map<string, Fact>();
  for (const control of [...form.elements] as FormControl[]) {
    if (!control.name || control.disabled || !("value" in control) || control.type === "submit") continue;
    const fact = factOf(control, words, isFirst);
    const others = facts.get(fact.name);
    facts.set(
      fact.name,
      others ? { ...others, said: `${others.said}\n${fact.said}`, values: [...others.values, ...fact.values] } : fact,
    );
  }
  return [...facts.values()];
}

function factOf(control: FormControl, words: Words, isFirst: boolean): Fact {
  const { name, type } = control;
  const { value, checked: isChecked } = heldBy(control, isFirst);
  const isList = name.endsWith("[]");
  const legend = control.closest("fieldset")?.querySelector("legend");
  const own = control.labels?.[0]?.textContent?.trim() ?? "";
  const fact = { name: name.replace(/\[\]$/, ""), label: (isList ? legend?.textContent?.trim() : own) || own, isList };
  if (isList && type === "checkbox") return { ...fact, said: isChecked ? value : "", values: isChecked ? [own] : [] };
  if (type === "radio") return { ...fact, said: isChecked ? value : "", values: isChecked ? [own] : [] };
  if (type === "checkbox") return { ...fact, said: String(isChecked), values: [isChecked ? words.on : words.off] };
  const text = control.dataset.shown ?? (control instanceof HTMLSelectElement ? nameIn(control, value) : value.trim());
  const isSecret = type === "password" || control.dataset.secret !== undefined;
  const shown = isSecret && text !== "" ? HIDDEN : text;
  return { ...fact, said: control.dataset.said ?? value, values: shown === "" ? [] : [shown] };
}

const nameIn = (select: HTMLSelectElement, value: string): string =>
  [...select.options].find((option) => option.value === value)?.text ?? "";

/** Returns the changes, in the order of the form. */
export function changesBetween(
  kept: readonly Fact[],
  now: readonly Fact[],
  effects: Effects,
  words: Words,
): ShownChange[] {
  const names = [...new Set([...now, ...kept].map(({ name }) => name))];
  return names.flatMap((name) => {
    const [was, is] = [kept.find((fact) => fact.name === name), now.find((fact) => fact.name === name)];
    const { label, isList } = (is ?? was) as Fact;
    if ((was?.said ?? "") === (is?.said ?? "")) return [];
    const [before, after] = [was?.values ?? [], is?.values ?? []];
    if (!isList) {
      const notes = effects.changed?.[name];
      const said = (values: readonly string[]) => (values.length > 0 ? values : [words.nothing]);
      return [{ key: name, label, before: said(before), after: said(after), notes: notes ? [notes] : [] }];
    }
    const taken = before.filter((value) => !after.includes(value));
    const added = after.filter((value) => !before.includes(value));
    if (taken.length + added.length === 0) return [];
    const notes = [effects.changed?.[name], taken.length > 0 ? effects.taken?.[name] : undefined];
    return [
      { key: name, label, before: taken, after: added, isList, notes: notes.filter((note) => note !== undefined) },
    ];
  });
}
