// Describes the values of a form in words, and finds the changes between two states of it.
import { get } from "react-hook-form";
import type { ShownChange } from "./will-change";

/** What a form knows of one field. */
export interface FieldDeclaration<Value = unknown> {
  /** The name in the JSON that is sent: `profile.firstName` nests. */
  name: string;
  label: string;
  /** The saved value, as the page has read it. */
  initial: Value;
  isList?: boolean;
  /** Returns the value as it is sent; undefined if it is omitted, so that the operation's default applies. */
  toJson(value: Value): unknown;
  /** Returns the value in words; an empty list if there is no value. */
  inWords(value: Value): readonly string[];
}

/** The value of one field. */
export interface Fact {
  name: string;
  label: string;
  isList: boolean;
  /** The value as it is sent. */
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
  nothing: string;
}

/** Describes the fields with the given values; those without a value have their initial one. */
export function factsOf(fields: Iterable<FieldDeclaration>, values: object): Fact[] {
  return [...fields].map((field) => {
    const { name, label, initial, isList = false } = field;
    const value = get(values, name) ?? initial;
    return { name, label, isList, said: JSON.stringify(field.toJson(value)) ?? "", values: field.inWords(value) };
  });
}

/** Whether the fields would send something else. */
export const isChanged = (kept: readonly Fact[], now: readonly Fact[]): boolean =>
  now.some(({ name, said }) => kept.find((fact) => fact.name === name)?.said !== said);

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
