"use client";
// The controls of forms: visible label, hint, error and control, linked to each other and in reading order. They are
// native, so they work on every device.
import type { HTMLInputTypeAttribute, InputHTMLAttributes, ReactNode } from "react";
import { useId } from "react";
import { useFieldProblem } from "../calls/problems";

export interface LabelledProps {
  name: string;
  label: string;
  hint?: ReactNode;
}

export function useParts(name: string, hint: ReactNode) {
  const id = useId();
  const problem = useFieldProblem(name);
  const describedBy = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
  return {
    id,
    problem,
    control: { id, name, "aria-describedby": describedBy, "aria-invalid": problem ? true : undefined },
  };
}

interface LabelledFieldProps {
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  problem?: string;
}

export function LabelledField({ children, label, ...field }: LabelledFieldProps & { children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={field.id}>{label}</label>
      <HintAndProblem {...field} />
      {children}
    </div>
  );
}

function HintAndProblem({ id, hint, problem }: Omit<LabelledFieldProps, "label">) {
  return (
    <>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p className="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </>
  );
}

export interface TextInputProps
  extends LabelledProps,
    Pick<
      InputHTMLAttributes<HTMLInputElement>,
      | "required"
      | "maxLength"
      | "min"
      | "max"
      | "step"
      | "autoComplete"
      | "inputMode"
      | "pattern"
      | "placeholder"
      | "dir"
      | "readOnly"
    > {
  type?: HTMLInputTypeAttribute;
  /** The language of the label, if it is not that of the page. */
  labelLanguage?: string;
}

/** A control whose value is kept elsewhere. */
interface Controlled<Value> {
  value: Value;
  onChange(value: Value): void;
}

export function TextInput(props: TextInputProps & Controlled<string>) {
  const { name, label, labelLanguage, hint, onChange, type = "text", ...input } = props;
  const { id, problem, control } = useParts(name, hint);
  const shown = labelLanguage === undefined ? label : <span lang={labelLanguage}>{label}</span>;
  return (
    <LabelledField id={id} label={shown} hint={hint} problem={problem}>
      <input
        autoComplete="off"
        spellCheck={false}
        // The beginning of a name stays in view, whatever the direction of the page.
        dir={type === "text" ? "auto" : undefined}
        {...input}
        {...control}
        type={type}
        onChange={({ target }) => onChange(target.value)}
      />
    </LabelledField>
  );
}

export interface LongTextInputProps extends LabelledProps {
  required?: boolean;
  rows?: number;
  maxLength?: number;
  /** `code` for JSON, XML and PEM, which are written from left to right in every language. */
  className?: "code";
  dir?: "ltr";
}

export function LongTextInput(props: LongTextInputProps & Controlled<string>) {
  const { name, label, hint, onChange, rows = 4, ...rest } = props;
  const { id, problem, control } = useParts(name, hint);
  return (
    <LabelledField id={id} label={label} hint={hint} problem={problem}>
      <textarea dir="auto" {...rest} {...control} rows={rows} onChange={({ target }) => onChange(target.value)} />
    </LabelledField>
  );
}

export interface Option {
  value: string;
  label: string;
}

export interface SelectInputProps extends LabelledProps {
  options: readonly Option[];
  required?: boolean;
}

export function SelectInput(props: SelectInputProps & Controlled<string>) {
  const { name, label, hint, options, required, value, onChange } = props;
  const { id, problem, control } = useParts(name, hint);
  return (
    <LabelledField id={id} label={label} hint={hint} problem={problem}>
      <select {...control} required={required} value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </LabelledField>
  );
}

/** A switch for on and off. It looks different from a checkbox in a group. */
export function SwitchInput({ name, label, hint, value, onChange }: LabelledProps & Controlled<boolean>) {
  const { id, problem, control } = useParts(name, hint);
  return (
    <div className="switch-field">
      <input
        {...control}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox exposes its state (HTML-AAM)
        role="switch"
        className="switch"
        checked={value}
        onChange={({ target }) => onChange(target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        <HintAndProblem id={id} hint={hint} problem={problem} />
      </div>
    </div>
  );
}

export interface CheckboxesProps {
  /** The name without `[]`, which is added. */
  name: string;
  label: string;
  hint?: ReactNode;
  options: readonly CheckboxOption[];
}

export interface CheckboxOption extends Option {
  hint?: string;
  /** The name that programs use, shown in grey. */
  code?: string;
  /** The heading of the options that follow each other with the same one. */
  group?: string;
}

/** Groups with more boxes than this are laid out in columns if there is room. */
const MANY = 12;

/** A group of checkboxes; its value are the chosen values, in the order of the options. */
export function Checkboxes(props: CheckboxesProps & Controlled<readonly string[]>) {
  const { name, label, hint, options, value: chosen, onChange } = props;
  const { id, problem, control } = useParts(name, hint);
  const choose = (one: string, isChosen: boolean) =>
    onChange(options.flatMap(({ value }) => ((value === one ? isChosen : chosen.includes(value)) ? value : [])));
  const box = ({ value, label, hint, code }: CheckboxOption) => (
    <div className="check" key={value}>
      <input
        type="checkbox"
        id={`${id}-${value}`}
        name={`${name}[]`}
        value={value}
        checked={chosen.includes(value)}
        onChange={({ target }) => choose(value, target.checked)}
        aria-describedby={hint ? `${id}-${value}-hint` : undefined}
      />
      <label htmlFor={`${id}-${value}`}>
        {label}
        {code && <> </>}
        {code && <code className="quiet">{code}</code>}
      </label>
      {hint && (
        <p className="hint" id={`${id}-${value}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
  const groups = [...new Set(options.map(({ group }) => group))];
  return (
    <fieldset className="choices" aria-describedby={control["aria-describedby"]}>
      <legend>{label}</legend>
      <HintAndProblem id={id} hint={hint} problem={problem} />
      {groups.map((group) => {
        const boxes = options.filter((option) => option.group === group);
        if (group !== undefined) {
          return (
            <fieldset className="choices choice-group" key={group}>
              <legend>{group}</legend>
              {boxes.map(box)}
            </fieldset>
          );
        }
        return (
          <div className={options.length > MANY ? "many" : undefined} key="">
            {boxes.map(box)}
          </div>
        );
      })}
    </fieldset>
  );
}
