// The parts of a form: field, button, hidden values, error summary. Every field has name = id, a visible label, and
// linked error and hint, so that it works with password managers, screen readers and without JavaScript.
import type { InputHTMLAttributes, ReactNode } from "react";
import { plainName } from "./user-text";

export interface FieldProps
  extends Pick<
    InputHTMLAttributes<HTMLInputElement>,
    "type" | "inputMode" | "autoComplete" | "autoCapitalize" | "spellCheck" | "autoFocus" | "maxLength" | "dir"
  > {
  name: string;
  label: ReactNode;
  /**
   * The value typed before, or suggested by an application; shown without characters that change the text direction.
   */
  value?: string;
  hint?: ReactNode;
  /** Shown below the field. */
  error?: string;
  /** "Error:" in the language of the page, for readers who do not see the colour. */
  errorPrefix: string;
  /** The id of the element with the reason, if the value is rejected without its own error text. */
  invalidBecause?: string;
  /** A button inside the input, at its end. */
  beside?: ReactNode;
  /** Shown below the input. */
  below?: ReactNode;
}

/** Label, hint, error and input, in reading order. */
export function Field(props: FieldProps) {
  const { name, label, value, hint, error, errorPrefix, invalidBecause, beside, below, ...input } = props;
  const hintId = hint ? `${name}-hint` : undefined;
  const errorId = error ? `${name}-error` : undefined;
  const describedBy = [errorId, invalidBecause, hintId].filter(Boolean).join(" ") || undefined;
  return (
    <div className="field">
      <label htmlFor={name} id={`${name}-label`}>
        {label}
      </label>
      {hint && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
      <FieldError id={errorId} prefix={errorPrefix} text={error} />
      <div className="control">
        <input
          {...input}
          id={name}
          name={name}
          defaultValue={value && plainName(value)}
          aria-describedby={describedBy}
          aria-invalid={error || invalidBecause ? true : undefined}
        />
        {beside}
      </div>
      {below}
    </div>
  );
}

/** The error of a field, shown above it, if there is one. */
export function FieldError({ id, prefix, text }: { id: string | undefined; prefix: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className="field-error" id={id}>
      <ErrorSign />
      <span>
        <span className="hidden">{prefix} </span>
        {text}
      </span>
    </p>
  );
}

/**
 * The login name on pages that do not ask for it, for password managers, which look for a text field before the
 * password. Hidden from people.
 */
export function UsernameField({ label, value }: { label: string; value: string }) {
  return (
    <div className="hidden" aria-hidden="true">
      <label htmlFor="username">{label}</label>
      <input
        id="username"
        name="username"
        type="text"
        autoComplete="username"
        defaultValue={plainName(value)}
        readOnly
        tabIndex={-1}
      />
    </div>
  );
}

/** A checkbox for yes or no; not sent if it is not checked. */
export function Checkbox({ name, label, defaultChecked }: { name: string; label: string; defaultChecked: boolean }) {
  return (
    <div className="check">
      <input type="checkbox" id={name} name={name} value="1" defaultChecked={defaultChecked} />
      <label htmlFor={name}>{label}</label>
    </div>
  );
}

/** Values that the server gets back: sealed or public, and untrusted. */
export function HiddenFields({ values }: { values: Readonly<Record<string, string | undefined>> }) {
  return Object.entries(values).map(
    ([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} key={name} />,
  );
}

/** The main action of the page. */
export function PrimaryButton({ id, name = id, children }: { id: string; name?: string; children: ReactNode }) {
  return (
    <button className="primary" type="submit" id={id} name={name}>
      {children}
    </button>
  );
}

export interface SummaryEntry {
  /** The name of the field to jump to; without it, the entry is plain text. */
  field?: string;
  text: ReactNode;
}

/**
 * All errors, at the top of the page, each a link to its field. It takes the focus, because `role=alert` alone is not
 * read out if it is present from the start.
 */
export function ErrorSummary({ id, heading, entries }: { id?: string; heading?: string; entries: SummaryEntry[] }) {
  return (
    // biome-ignore lint/a11y/noAutofocus: after a rejected form the focus must be at the reason, not at the logo
    <div className="problem" role="alert" id={id} tabIndex={-1} autoFocus>
      <ErrorSign />
      <div>
        {heading && <h2>{heading}</h2>}
        <ul>
          {entries.map(({ field, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string
            <li key={index}>{field ? <a href={`#${field}`}>{text}</a> : text}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** An icon, so that errors are not marked by colour alone. */
function ErrorSign() {
  return (
    <svg className="sign" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <circle cx="10" cy="10" r="8.25" fill="none" stroke="currentColor" strokeWidth="1.75" />
      <path d="M10 5.5v5.25" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <circle cx="10" cy="14" r="1.25" fill="currentColor" />
    </svg>
  );
}
