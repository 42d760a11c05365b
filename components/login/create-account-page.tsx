// Creates an account (OIDC Initiating User Registration 1.0): four fields, the password rule shown before typing, no
// repeated field and no preselected box. The page does not reveal whether the address is already known; only the email
// does.

import type { LoginTranslator } from "../../messages/login";
import { ErrorSummary, Field, type FieldProps, HiddenFields, PrimaryButton } from "../ui/form";
import { linkTarget } from "../ui/links";
import { bdi, plainName } from "../ui/user-text";
import { nameErrorText, OwnNameFields } from "./name-fields";
import { type NewPasswordError, newPasswordErrorText, newPasswordHint, type PasswordLengths } from "./new-password";
import { PasswordField } from "./password-field";
import { CancelSignIn, ToApp } from "./to-app";

export type CreateAccountField = "email" | "givenName" | "familyName" | "password";

export interface CreateAccountProps extends PasswordLengths {
  flow: string;
  action: string;
  values?: Partial<Record<Exclude<CreateAccountField, "password">, string>>;
  errors?: Partial<Record<CreateAccountField, NewPasswordError>>;
  /** The maximum length of a name, in characters. */
  maximumLength: number;
  /** The link for users who have an account. */
  signInHref: string;
  termsHref?: string;
  appName?: string;
  organizationName?: string;
  /** Whether the sign-in is for an application, which is informed of a cancellation. */
  isCancellable?: boolean;
  /** The organization that will own the account, if it is not the application's. */
  belongsTo?: string;
  /** The account at an identity provider by which the user will sign in, instead of a password. */
  connects?: { provider: string; userName: string };
}

const FIELDS: readonly CreateAccountField[] = ["email", "givenName", "familyName", "password"];

export function CreateAccountPage({
  t,
  locale,
  ...props
}: CreateAccountProps & { t: LoginTranslator; locale: string }) {
  const refused = FIELDS.flatMap((field) => {
    const error = props.errors?.[field];
    return error ? [{ field, text: errorText(t, props, field, error) }] : [];
  });
  const field = (name: CreateAccountField): Pick<FieldProps, "name" | "value" | "error" | "errorPrefix"> => ({
    name,
    value: name === "password" ? undefined : props.values?.[name],
    error: refused.find((entry) => entry.field === name)?.text,
    errorPrefix: t("common.fieldError"),
  });
  const termsHref = linkTarget(props.termsHref);
  return (
    <>
      <h1>{t("createAccount.title")}</h1>
      <ToApp t={t} appName={props.appName} />
      {props.belongsTo !== undefined && (
        <p>{t.rich("createAccount.belongsTo", { ...bdi, organization: plainName(props.belongsTo) })}</p>
      )}
      {props.connects && (
        <p>
          {t.rich("provider.creates", {
            ...bdi,
            provider: plainName(props.connects.provider),
            userName: plainName(props.connects.userName),
          })}
        </p>
      )}
      {refused.length > 0 && (
        <ErrorSummary heading={t("common.checkFields", { count: refused.length })} entries={refused} />
      )}
      <form method="post" action={props.action} noValidate>
        <HiddenFields values={{ flow: props.flow, ui_locales: locale }} />
        <Field
          {...field("email")}
          label={t("common.email")}
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          autoFocus={refused.length === 0 && !props.values?.email}
        />
        <OwnNameFields
          t={t}
          locale={locale}
          values={props.values}
          errors={{ givenName: field("givenName").error, familyName: field("familyName").error }}
        />
        {!props.connects && (
          <PasswordField
            t={t}
            name="password"
            label={t("common.password")}
            hint={newPasswordHint(t, props)}
            error={field("password").error}
            minimumLength={props.minimumPasswordLength}
          />
        )}
        {termsHref && <p>{t.rich("createAccount.terms", { link: (words) => <a href={termsHref}>{words}</a> })}</p>}
        <PrimaryButton id="submit">{t("createAccount.submit")}</PrimaryButton>
      </form>
      {props.isCancellable && <CancelSignIn t={t} locale={locale} flow={props.flow} />}
      <p className="aside">
        <span>{t("createAccount.existing")}</span> <a href={props.signInHref}>{t("common.signIn")}</a>
      </p>
    </>
  );
}

function errorText(
  t: LoginTranslator,
  props: CreateAccountProps,
  field: CreateAccountField,
  error: NewPasswordError,
): string {
  if (field === "password") return newPasswordErrorText(t, error, props);
  if (field !== "email") return nameErrorText(t, field, error, props.maximumLength);
  if (error === "missing") return t("setup.missingEmail");
  return error === "too-long" ? t("setup.tooLong", { count: 254 }) : t("setup.invalidEmail");
}
