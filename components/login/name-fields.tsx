// The two name fields of a user, in the order of the language of the page, and their errors.
import type { LoginTranslator } from "../../messages/login";
import { Field } from "../ui/form";
import { namesInOrder } from "./names-in-order";
import type { NewPasswordError } from "./new-password";

export type NameField = "givenName" | "familyName";

const MISSING = { givenName: "setup.missingGivenName", familyName: "setup.missingFamilyName" } as const;

export function nameErrorText(t: LoginTranslator, field: NameField, error: NewPasswordError, maximum: number): string {
  if (error === "missing") return t(MISSING[field]);
  return error === "too-long" ? t("setup.tooLong", { count: maximum }) : t("createAccount.invalidName");
}

export interface OwnNameFieldsProps {
  t: LoginTranslator;
  locale: string;
  values?: Partial<Record<NameField, string>>;
  /** The error texts. */
  errors?: Partial<Record<NameField, string>>;
  /** The field to focus. */
  autoFocus?: NameField;
}

export function OwnNameFields({ t, locale, values, errors, autoFocus }: OwnNameFieldsProps) {
  return (
    <div className="pair">
      {namesInOrder(locale).map(({ name, label, autoComplete }) => (
        <Field
          key={name}
          name={name}
          label={t(label)}
          value={values?.[name]}
          error={errors?.[name]}
          errorPrefix={t("common.fieldError")}
          autoComplete={autoComplete}
          dir="auto"
          autoFocus={name === autoFocus}
        />
      ))}
    </div>
  );
}
