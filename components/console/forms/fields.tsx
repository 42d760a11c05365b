"use client";
// The fields of a form: visible label, hint, error and control, linked to each other and in reading order. The controls
// are native, so they work before scripts run and on every device. Names are those of the JSON that is sent
// (form-body.ts).
import { type ChangeEvent, type HTMLInputTypeAttribute, type InputHTMLAttributes, type ReactNode, useId } from "react";
import { useFieldProblem } from "../calls/problems";

interface Named {
  name: string;
  label: ReactNode;
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

export function LabelledField({
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
  /**
   * The conversion of the value: a number is sent as a duration such as `3600s`, or space-separated words are sent as a
   * list.
   */
  as?: "seconds" | "nullable" | "words";
  /** Whether the field is sent even if it is empty. */
  keepsEmpty?: boolean;
  /** Called with the typed text; the field is then controlled by `value`. Without it, the field is uncontrolled. */
  onType?(value: string): void;
}

export function TextField(props: TextFieldProps) {
  const { name, label, hint, value, type = "text", as, keepsEmpty, onType, ...input } = props;
  const { id, problem, control } = useParts(name, hint);
  return (
    <LabelledField id={id} label={label} hint={hint} problem={problem}>
      <input
        autoComplete="off"
        spellCheck={false}
        {...input}
        {...control}
        type={type}
        {...(onType
          ? { value: value ?? "", onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onType(target.value) }
          : { defaultValue: value })}
        data-as={as}
        data-keeps-empty={keepsEmpty ? "" : undefined}
      />
    </LabelledField>
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
  /** Whether no other part of the page may repeat the value. */
  isSecret?: boolean;
}

export function LongTextField(props: LongTextFieldProps) {
  const { name, label, hint, value, as, keepsEmpty, isSecret, rows = 4, ...rest } = props;
  const { id, problem, control } = useParts(name, hint);
  return (
    <LabelledField id={id} label={label} hint={hint} problem={problem}>
      <textarea
        {...rest}
        {...control}
        rows={rows}
        defaultValue={value}
        data-as={as}
        data-keeps-empty={keepsEmpty ? "" : undefined}
        data-secret={isSecret ? "" : undefined}
      />
    </LabelledField>
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
    <LabelledField id={id} label={label} hint={hint} problem={problem}>
      <select {...control} required={required} defaultValue={value} data-as={nullable ? "nullable" : undefined}>
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
export function SwitchField({
  name,
  label,
  hint,
  isOn,
  onTurn,
}: Named & { isOn?: boolean; onTurn?(isOn: boolean): void }) {
  const { id, problem, control } = useParts(name, hint);
  return (
    <div className="switch-field">
      <input
        {...control}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox exposes its state (HTML-AAM)
        role="switch"
        className="switch"
        checked={onTurn && isOn === true}
        defaultChecked={onTurn ? undefined : isOn}
        onChange={onTurn && (({ target }) => onTurn(target.checked))}
      />
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
  /** The name without `[]`, which is added. */
  name: string;
  legend: ReactNode;
  hint?: ReactNode;
  options: readonly (Option & { hint?: string })[];
  chosen?: readonly string[];
  /** Called with the chosen values; the group is then controlled by `chosen`. */
  onChoose?(chosen: readonly string[]): void;
}

/** Groups with more boxes than this are laid out in columns if there is room. */
const MANY = 12;

/** A group of checkboxes; the chosen values are sent as a list. */
export function CheckboxGroup({ name, legend, hint, options, chosen = [], onChoose }: CheckboxGroupProps) {
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
      <div className={options.length > MANY ? "many" : undefined}>
        {options.map((option) => (
          <div className="check" key={option.value}>
            <input
              type="checkbox"
              id={`${id}-${option.value}`}
              name={`${name}[]`}
              value={option.value}
              {...(onChoose
                ? {
                    checked: chosen.includes(option.value),
                    onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
                      onChoose(
                        options
                          .map(({ value }) => value)
                          .filter((value) => (value === option.value ? target.checked : chosen.includes(value))),
                      ),
                  }
                : { defaultChecked: chosen.includes(option.value) })}
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
      </div>
    </fieldset>
  );
}
