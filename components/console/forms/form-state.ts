"use client";
// The state of a form. Each field declares its saved value, and how a value is shown and sent.
import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { type Fact, type FieldDeclaration, type FormValues, factsOf, isChanged } from "./form-facts";

type State = Readonly<Record<"saved" | "typed", FormValues>>;

/** The values of a form that differ from the initial ones of its fields. */
class FormStore {
  /** The fields on the page, by name. */
  readonly fields = new Map<string, FieldDeclaration>();
  /** What was sent since the page was read, and what was typed. Another object after each change. */
  state: State = { saved: {}, typed: {} };
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  update(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.#listeners) listener();
  }

  valueOf = (name: string, initial = this.fields.get(name)?.initial): unknown => {
    const { saved, typed } = this.state;
    return { [name]: initial, ...saved, ...typed }[name];
  };

  values = (): FormValues => Object.fromEntries([...this.fields.keys()].map((name) => [name, this.valueOf(name)]));

  change(name: string, value: unknown): void {
    this.update({ typed: { ...this.state.typed, [name]: value } });
  }

  /** Returns to the initial value of a field, except for input that would be lost if `isKept` is set. */
  forget(name: string, isKept = false): void {
    const { saved, typed } = this.state;
    this.update({ saved: without(saved, name), typed: isKept ? typed : without(typed, name) });
  }
}

function without(values: FormValues, name: string): FormValues {
  const { [name]: _, ...others } = values;
  return others;
}

interface Form {
  store: FormStore;
  /** Differs whenever the saved values have changed. */
  version: string | undefined;
}

/** The form around a field. */
export const FormContext = createContext<Form | undefined>(undefined);

export interface FormFields {
  form: Form;
  isEdited: boolean;
  saved: { values: FormValues; facts: readonly Fact[] };
  facts: readonly Fact[];
  /** Returns the values at this moment, by the names of their fields. */
  values(): FormValues;
  /** Returns what is sent; by default, for the values at this moment. */
  body(values?: FormValues): Record<string, unknown>;
  labelOf(name: string): string | undefined;
  /** Treats values as saved; the fields keep theirs. */
  keep(values: FormValues): void;
  /** Shows the saved values. */
  discard(): void;
}

export function useFields(version?: string): FormFields {
  const [store] = useState(() => new FormStore());
  const form = useMemo(() => ({ store, version }), [store, version]);
  const { saved } = useStored(store, () => store.state); // renders after each change
  const { fields } = store;
  const savedFacts = factsOf(fields.values(), saved);
  const facts = factsOf(fields.values(), store.values());
  return {
    form,
    isEdited: isChanged(savedFacts, facts),
    saved: { values: saved, facts: savedFacts },
    facts,
    values: store.values,
    body: (values = store.values()) => bodyOf(fields.values(), values),
    labelOf: (name) => labelIn(fields, name),
    keep: (values) => store.update({ saved: values }),
    discard: () => store.update({ typed: {} }),
  };
}

function useStored<Value>(store: FormStore, read: () => Value): Value {
  return useSyncExternalStore(store.subscribe, read, read);
}

/** Returns the label of a field; of an entry of a list such as `hosts[1]`, that of the list with its number. */
function labelIn(fields: ReadonlyMap<string, FieldDeclaration>, name: string): string | undefined {
  const [, list = name, index] = /^([^[]+)\[(\d*)\]/.exec(name) ?? [];
  const label = fields.get(list)?.label;
  return label && index ? `${label} (${Number(index) + 1})` : label;
}

/** Returns what is sent; a name with dots is the path of a value. */
function bodyOf(fields: Iterable<FieldDeclaration>, values: FormValues): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { name, said } of factsOf(fields, values)) {
    if (said === "") continue;
    const path = name.split(".");
    const last = path.pop() as string;
    let around = body;
    for (const key of path) {
      around[key] ??= {};
      around = around[key] as Record<string, unknown>;
    }
    around[last] = JSON.parse(said);
  }
  return body;
}

/** Returns a function that returns what the form around a component would send at this moment. */
export function useBodyAround(): () => Record<string, unknown> {
  const { store } = useFormAround();
  return () => bodyOf(store.fields.values(), store.values());
}

/** Returns the value of a field of the form around a component, and the store of that form. */
export function useValueAround(name: string): { store: FormStore; value: unknown } {
  const { store } = useFormAround();
  return { store, value: useStored(store, () => store.valueOf(name)) };
}

function useFormAround(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error("a field needs a form around it");
  return form;
}

/**
 * Returns the value of a field. If the page reads another saved value, the field shows it unless the user's input would
 * be lost.
 */
export function useField<Value>(field: FieldDeclaration<Value>) {
  const { store, version } = useFormAround();
  const { name, initial } = field;
  const declared = field as FieldDeclaration;
  const value = useStored(store, () => store.valueOf(name, initial)) as Value;
  const read = JSON.stringify([initial, version]);
  const shown = useRef(read);
  const own = useRef(declared);
  useLayoutEffect(() => {
    const isNew = !store.fields.has(name);
    own.current = declared;
    store.fields.set(name, declared);
    if (isNew) store.update({});
  });
  useEffect(
    () => () => {
      // A field that replaces this one is declared before.
      if (store.fields.get(name) === own.current) store.fields.delete(name);
      store.forget(name);
    },
    [store, name],
  );
  useEffect(() => {
    if (read === shown.current) return;
    const before = [{ ...declared, initial: (JSON.parse(shown.current) as unknown[])[0] }];
    shown.current = read;
    const { saved, typed } = store.state;
    store.forget(name, isChanged(factsOf(before, saved), factsOf(before, { ...saved, ...typed })));
  });
  return { value, change: (value: Value) => store.change(name, value) };
}
