"use client";
// The state of a form. React Hook Form keeps the values; each field declares how its value is shown and sent.
import { createContext, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { set, type UseFormReturn, useController, useForm as useHookForm, useWatch } from "react-hook-form";
import { type Fact, type FieldDeclaration, factsOf, isChanged } from "./form-facts";

export type FormValues = Record<string, unknown>;

interface Form {
  state: UseFormReturn<FormValues>;
  /** The fields on the page, by name. */
  fields: Map<string, FieldDeclaration>;
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
  /** Returns the values at this moment. */
  values(): FormValues;
  /** Returns what is sent; by default, for the values at this moment. */
  body(values?: FormValues): FormValues;
  labelOf(name: string): string | undefined;
  /** Treats values as saved; the fields keep theirs. */
  keep(values: FormValues): void;
  /** Shows the saved values. */
  discard(): void;
}

export function useFields(version?: string): FormFields {
  const state = useHookForm<FormValues>();
  const [fields] = useState(() => new Map<string, FieldDeclaration>());
  const form = useMemo(() => ({ state, fields, version }), [state, fields, version]);
  useWatch({ control: state.control }); // renders after each change
  const saved = state.formState.defaultValues ?? {};
  const savedFacts = factsOf(fields.values(), saved);
  const facts = factsOf(fields.values(), state.getValues());
  return {
    form,
    isEdited: isChanged(savedFacts, facts),
    saved: { values: saved, facts: savedFacts },
    facts,
    values: () => structuredClone(state.getValues()),
    body: (values = state.getValues()) => bodyOf(fields.values(), values),
    labelOf: (name) => labelIn(fields, name),
    keep: (values) => state.resetDefaultValues(values),
    discard: () => state.reset(undefined, { keepFieldsRef: true }),
  };
}

/** Returns the label of a field; of an entry of a list such as `hosts[1]`, that of the list with its number. */
function labelIn(fields: ReadonlyMap<string, FieldDeclaration>, name: string): string | undefined {
  const [, list = name, index] = /^([^[]+)\[(\d*)\]/.exec(name) ?? [];
  const label = fields.get(list)?.label;
  return label && index ? `${label} (${Number(index) + 1})` : label;
}

function bodyOf(fields: Iterable<FieldDeclaration>, values: FormValues): FormValues {
  const body: FormValues = {};
  const sent = factsOf(fields, values).filter(({ said }) => said !== "");
  for (const { name, said } of sent) set(body, name, JSON.parse(said));
  return body;
}

/** Returns a function that returns what the form around a component would send at this moment. */
export function useBodyAround(): () => FormValues {
  const { state, fields } = useFormAround();
  return () => bodyOf(fields.values(), state.getValues());
}

/** Returns the form around a component. */
export function useFormAround(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error("a field needs a form around it");
  return form;
}

/**
 * Returns the value of a field. If the page reads another saved value, the field shows it unless the user's input would
 * be lost.
 */
export function useField<Value>(field: FieldDeclaration<Value>) {
  const { state, fields, version } = useFormAround();
  const { name, initial } = field;
  const controlled = useController({ control: state.control, name, defaultValue: initial, shouldUnregister: true });
  const read = JSON.stringify([initial, version]);
  const shown = useRef(read);
  useLayoutEffect(() => {
    fields.set(name, field as FieldDeclaration);
  });
  useEffect(() => () => void fields.delete(name), [fields, name]);
  useEffect(() => {
    if (read === shown.current) return;
    const before = { ...(field as FieldDeclaration), initial: (JSON.parse(shown.current) as unknown[])[0] };
    shown.current = read;
    const value: unknown = state.getValues(name);
    const factsIn = (values: object) => factsOf([before], values);
    const isTyped = isChanged(factsIn(state.formState.defaultValues ?? {}), factsIn(state.getValues()));
    state.resetField(name, { defaultValue: initial as never });
    if (isTyped) state.setValue(name, value);
  });
  return { value: controlled.field.value as Value, change: controlled.field.onChange as (value: Value) => void };
}
