// A field for a password. Where script runs it can be shown, says that Caps Lock is on, and tells of a new password how
// hard it is to guess; the server decides all the same, and without script the field is what it is.
import type { LoginTranslator } from "../../messages/login";
import { Field, type FieldProps } from "../ui/form";

export interface PasswordFieldProps
  extends Pick<FieldProps, "label" | "hint" | "error" | "invalidBecause" | "autoFocus"> {
  t: LoginTranslator;
  name: string;
  /** The password is being chosen: how many characters it needs. */
  minimumLength?: number;
}

export function PasswordField({ t, name, minimumLength, ...field }: PasswordFieldProps) {
  const isNew = minimumLength !== undefined;
  const advice = isNew && {
    "data-minimum": minimumLength,
    "data-easy": t("newPassword.easy"),
    "data-fair": t("newPassword.fair"),
    "data-hard": t("newPassword.hard"),
  };
  return (
    <Field
      {...field}
      name={name}
      errorPrefix={t("common.fieldError")}
      type="password"
      autoComplete={isNew ? "new-password" : "current-password"}
      autoCapitalize="none"
      spellCheck={false}
      beside={
        <button
          className="reveal"
          type="button"
          id={`${name}-show`}
          aria-controls={name}
          aria-labelledby={`${name}-show ${name}-label`}
          aria-pressed="false"
          data-hide={t("common.hide")}
          hidden
        >
          {t("common.show")}
        </button>
      }
      below={<p className="advice" id={`${name}-advice`} role="status" data-caps={t("common.capsLock")} {...advice} />}
    />
  );
}
