// Creates the first administrator, in the browser, with the one-time setup link. There is one password field that is
// not repeated (NIST SP 800-63B §3.1.1.2: paste and password managers allowed), and the rule is shown before typing.

import type { LoginMessageKey, LoginTranslator } from "../../messages/login";
import type { SetupField } from "../../server/directory/setup/setup";
import { ErrorSummary, Field, type FieldProps, HiddenFields, PrimaryButton } from "../ui/form";
import { namesInOrder } from "./names-in-order";
import { PasswordField } from "./password-field";

/**
 * The error. `taken`: another user has the name; `common`: on the list of leaked passwords; `personal`: contains the
 * name or address.
 */
export type SetupFieldError = "missing" | "invalid" | "taken" | "too-long" | "too-short" | "common" | "personal";

export interface SetupProps {
  /** The secret of the setup link, which the post sends back. */
  token: string;
  action: string;
  values?: Partial<Record<Exclude<SetupField, "password">, string>>;
  errors?: Partial<Record<SetupField, SetupFieldError>>;
  /** The lengths in characters. */
  minimumPasswordLength: number;
  maximumPasswordLength: number;
  /** The maximum length of a name or address, in characters. */
  maximumLength: number;
}

const FIELDS: readonly SetupField[] = ["organizationName", "email", "givenName", "familyName", "password"];

const MISSING: Record<SetupField, LoginMessageKey> = {
  organizationName: "setup.missingOrganizationName",
  email: "setup.missingEmail",
  givenName: "setup.missingGivenName",
  familyName: "setup.missingFamilyName",
  password: "setup.missingPassword",
};

export function SetupPage({ t, locale, ...props }: SetupProps & { t: LoginTranslator; locale: string }) {
  const refused = FIELDS.flatMap((field) => {
    const error = props.errors?.[field];
    return error ? [{ field, text: errorText(t, props, field, error) }] : [];
  });
  const field = (name: SetupField): Pick<FieldProps, "name" | "value" | "error" | "errorPrefix"> => ({
    name,
    value: name === "password" ? undefined : props.values?.[name],
    error: refused.find((entry) => entry.field === name)?.text,
    errorPrefix: t("common.fieldError"),
  });
  return (
    <>
      <h1>{t("setup.title")}</h1>
      <p className="lead">{t("setup.introduction")}</p>
      {refused.length > 0 && (
        <ErrorSummary heading={t("common.checkFields", { count: refused.length })} entries={refused} />
      )}
      <form method="post" action={props.action} noValidate>
        <HiddenFields values={{ token: props.token, ui_locales: locale }} />
        <Field
          {...field("organizationName")}
          label={t("setup.organizationName")}
          autoComplete="organization"
          dir="auto"
          autoFocus={refused.length === 0}
        />
        <Field
          {...field("email")}
          label={t("common.email")}
          hint={t("setup.emailHint")}
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
        />
        <div className="pair">
          {namesInOrder(locale).map(({ name, label, autoComplete }) => (
            <Field key={name} {...field(name)} label={t(label)} autoComplete={autoComplete} dir="auto" />
          ))}
        </div>
        <PasswordField
          t={t}
          name="password"
          label={t("common.password")}
          hint={t("setup.passwordHint", { count: props.minimumPasswordLength })}
          error={field("password").error}
          minimumLength={props.minimumPasswordLength}
        />
        <PrimaryButton id="submit">{t("setup.submit")}</PrimaryButton>
      </form>
    </>
  );
}

function errorText(t: LoginTranslator, props: SetupProps, field: SetupField, error: SetupFieldError): string {
  switch (error) {
    case "missing":
      return t(MISSING[field]);
    case "invalid":
      return field === "email" ? t("setup.invalidEmail") : t(MISSING[field]);
    case "taken":
      return t("setup.emailTaken");
    case "too-long":
      return t("setup.tooLong", { count: field === "password" ? props.maximumPasswordLength : props.maximumLength });
    case "too-short":
      return t("setup.passwordTooShort", { count: props.minimumPasswordLength });
    case "common":
      return t("setup.passwordCommon");
    case "personal":
      return t("setup.passwordPersonal");
  }
}
