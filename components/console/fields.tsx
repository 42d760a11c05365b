"use client";
// The fields of a form: visible label, hint, error and control, tied together and in reading order. The controls are
// the browser's own, so they work before any script and on every device. Names are those of the JSON that is sent
// (form-body.ts).
import { type HTMLInputTypeAttribute, type InputHTMLAttributes, type ReactNode, useId } from "react";
import { useFieldProblem } from "./problems";

interface Named {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
}

function useParts(name: string, hint: ReactNode) {
  const id = useId();
  const problem = useFieldProblem(name);
  const describedBy = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
  return {
    id,
    problem,
    control: { id, name, "aria-describedby": describedBy, "aria-invalid": problem ? true : undefined },
  };
}

function Field({
  id,
  label,
  hint,
  problem,
  children,
}: Omit<Named, "name"> & { id: string; problem?: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
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
      {children}
    </div>
  );
}

export interface TextFieldProps
  extends Named,
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
  value?: string | number;
  /** The unit of a number that is sent as a duration, for instance `3600s`. */
  as?: "seconds" | "hours" | "nullable";
  /** Whether it is sent even if it is empty. */
  keepsEmpty?: boolean;
}

export function TextField({ name, label, hint, value, type = "text", as, keepsEmpty, ...input }: TextFieldProps) {
  const { id, problem, control } = useParts(name, hint);
  return (
    <Field id={id} label={label} hint={hint} problem={problem}>
      <input
        autoComplete="off"
        spellCheck={false}
        {...input}
        {...control}
        type={type}
        defaultValue={value}
        data-as={as}
        data-keeps-empty={keepsEmpty ? "" : undefined}
      />
    </Field>
  );
}

export interface LongTextFieldProps extends Named {
  value?: string;
  required?: boolean;
  rows?: number;
  maxLength?: number;
  /** One entry per line, sent as a list. */
  as?: "lines";
  keepsEmpty?: boolean;
}

export function LongTextField({ name, label, hint, value, as, keepsEmpty, rows = 4, ...rest }: LongTextFieldProps) {
  const { id, problem, control } = useParts(name, hint);
  return (
    <Field id={id} label={label} hint={hint} problem={problem}>
      <textarea
        {...rest}
        {...control}
        rows={rows}
        defaultValue={value}
        data-as={as}
        data-keeps-empty={keepsEmpty ? "" : undefined}
      />
    </Field>
  );
}

export interface Option {
  value: string;
  label: string;
}

export interface SelectFieldProps extends Named {
  options: readonly Option[];
  value?: string;
  required?: boolean;
  /** Whether the empty value is sent as null, which clears the setting. */
  nullable?: boolean;
}

export function SelectField({ name, label, hint, options, value, required, nullable }: SelectFieldProps) {
  const { id, problem, control } = useParts(name, hint);
  return (
    <Field id={id} label={label} hint={hint} problem={problem}>
      <select {...control} required={required} defaultValue={value} data-as={nullable ? "nullable" : undefined}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** A switch for yes or no; it looks different from a box among others. */
export function SwitchField({ name, label, hint, isOn }: Named & { isOn?: boolean }) {
  const { id, problem, control } = useParts(name, hint);
  return (
    <div className="switch-field">
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has its state by itself (HTML-AAM) */}
      <input {...control} type="checkbox" role="switch" className="switch" defaultChecked={isOn} />
      <div>
        <label htmlFor={id}>{label}</label>
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
      </div>
    </div>
  );
}

export interface CheckboxGroupProps {
  /** Without the `[]`, which is added. */
  name: string;
  legend: ReactNode;
  hint?: ReactNode;
  options: readonly (Option & { hint?: string })[];
  chosen?: readonly string[];
}

/** Any number of several, sent as a list. */
export function CheckboxGroup({ name, legend, hint, options, chosen = [] }: CheckboxGroupProps) {
  const { id, problem, control } = useParts(name, hint);
  return (
    <fieldset className="choices" aria-describedby={control["aria-describedby"]}>
      <legend>{legend}</legend>
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
      {options.map((option) => (
        <div className="check" key={option.value}>
          <input
            type="checkbox"
            id={`${id}-${option.value}`}
            name={`${name}[]`}
            value={option.value}
            defaultChecked={chosen.includes(option.value)}
            aria-describedby={option.hint ? `${id}-${option.value}-hint` : undefined}
          />
          <label htmlFor={`${id}-${option.value}`}>{option.label}</label>
          {option.hint && (
            <p className="hint" id={`${id}-${option.value}-hint`}>
              {option.hint}
            </p>
          )}
        </div>
      ))}
    </fieldset>
  );
}
