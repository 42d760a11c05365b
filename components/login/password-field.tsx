// A password field. With a script, it can show the typed text, warns about Caps Lock, and rates a new password; the
// server decides. Without a script, it is an ordinary field.
import type { LoginTranslator } from "../../messages/login";
import { Field, type FieldProps } from "../ui/form";

export interface PasswordFieldProps
  extends Pick<FieldProps, "label" | "hint" | "error" | "invalidBecause" | "autoFocus"> {
  t: LoginTranslator;
  name: string;
  /** For a new password: the minimum number of characters. */
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
          data-scripted=""
        >
          {t("common.show")}
        </button>
      }
      below={<p className="advice" id={`${name}-advice`} role="status" data-caps={t("common.capsLock")} {...advice} />}
    />
  );
}
