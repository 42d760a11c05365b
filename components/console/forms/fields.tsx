"use client";
// The fields of a form. Names are those of the JSON that is sent; each field declares how its value is shown and sent.
import { useTranslations } from "next-intl";
import { useReaderTimeZone } from "../parts/time-zone";
import { useField } from "./form-state";
import {
  Checkboxes,
  type CheckboxesProps,
  type LabelledProps,
  LongTextInput,
  type LongTextInputProps,
  SelectInput,
  type SelectInputProps,
  SwitchInput,
  TextInput,
  type TextInputProps,
} from "./inputs";
import { linesIn, textToJson } from "./text-to-json";

/** Replaces values that must not be readable on the screen. */
const HIDDEN = "••••••••";

const inWords = (text: string, isSecret = false): readonly string[] =>
  text.trim() === "" ? [] : [isSecret ? HIDDEN : text.trim()];

export interface TextFieldProps extends TextInputProps {
  value?: string | number;
  /**
   * The conversion of the value: a number is sent as a duration such as `3600s`, or space-separated words are sent as a
   * list.
   */
  as?: "seconds" | "nullable" | "words";
  /** Whether the field is sent even if it is empty. */
  keepsEmpty?: boolean;
  /** Called with the typed text. */
  onType?(value: string): void;
}

export function TextField({ value = "", as, keepsEmpty, onType, ...props }: TextFieldProps) {
  const { name, label, type } = props;
  const field = useField<string>({
    name,
    label,
    initial: String(value),
    toJson: (text) => textToJson(text, { type, as, keepsEmpty }),
    inWords: (text) => inWords(text, type === "password"),
  });
  const change = (text: string) => {
    field.change(text);
    onType?.(text);
  };
  return <TextInput {...props} value={field.value} onChange={change} />;
}

/** A day; the time of the value stays unless the day is changed. */
export function DayField({ value, ...props }: Omit<TextInputProps, "type"> & { value?: string }) {
  const zone = useReaderTimeZone();
  const day = value === undefined ? "" : new Date(value).toLocaleDateString("sv-SE", { timeZone: zone });
  const field = useField<string>({
    name: props.name,
    label: props.label,
    initial: day,
    toJson: (text) => (text === day && value !== undefined ? value : textToJson(text, { type: "date" })),
    inWords: (text) => inWords(text),
  });
  return <TextInput {...props} type="date" value={field.value} onChange={field.change} />;
}

export interface LongTextFieldProps extends LongTextInputProps {
  value?: string;
  /** One entry per line, sent as a list. */
  as?: "lines";
  keepsEmpty?: boolean;
  /** Whether no other part of the page may repeat the value. */
  isSecret?: boolean;
}

export function LongTextField({ value = "", as, keepsEmpty, isSecret, ...props }: LongTextFieldProps) {
  const { name, label } = props;
  const field = useField<string>({
    name,
    label,
    initial: value,
    toJson: (text) => (as === "lines" ? linesIn(text) : textToJson(text, { keepsEmpty })),
    inWords: (text) => inWords(text, isSecret),
  });
  return <LongTextInput {...props} value={field.value} onChange={field.change} />;
}

export interface SelectFieldProps extends SelectInputProps {
  value?: string;
  /** Whether the empty value is sent as null, which clears the setting. */
  nullable?: boolean;
}

export function SelectField({ value, nullable, ...props }: SelectFieldProps) {
  const { name, label, options } = props;
  const field = useField<string>({
    name,
    label,
    initial: value ?? options[0]?.value ?? "",
    toJson: (chosen) => textToJson(chosen, { as: nullable ? "nullable" : undefined }),
    inWords: (chosen) => inWords(options.find((option) => option.value === chosen)?.label ?? ""),
  });
  return <SelectInput {...props} value={field.value} onChange={field.change} />;
}

export function SwitchField({ isOn = false, ...props }: LabelledProps & { isOn?: boolean }) {
  const { name, label } = props;
  const t = useTranslations();
  const field = useField<boolean>({
    name,
    label,
    initial: isOn,
    toJson: (value) => value,
    inWords: (value) => [t(value ? "settings.on" : "settings.off")],
  });
  return <SwitchInput {...props} value={field.value} onChange={field.change} />;
}

export interface CheckboxGroupProps extends CheckboxesProps {
  chosen?: readonly string[];
  onChoose?(values: readonly string[]): void;
}

/** A group of checkboxes; the chosen values are sent as a list, also if there are none. */
export function CheckboxGroup({ chosen = [], onChoose, ...props }: CheckboxGroupProps) {
  const { name, label, options } = props;
  const field = useField<readonly string[]>({
    name,
    label,
    initial: chosen,
    isList: true,
    toJson: (values) => options.flatMap(({ value }) => (values.includes(value) ? value : [])),
    inWords: (values) => options.flatMap(({ value, label }) => (values.includes(value) ? label : [])),
  });
  const change = (values: readonly string[]) => {
    field.change(values);
    onChoose?.(values);
  };
  return <Checkboxes {...props} value={field.value} onChange={change} />;
}
