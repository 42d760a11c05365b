// Pages to request and set a new password. Both look the same for every name: only the email reveals whether there is
// an account (OWASP Forgot Password). Code and new password are on one page, so that one step is enough.
import type { LoginTranslator } from "../../messages/login";
import type { MailedCodeProblem } from "../../server/directory/mailed-code/open";
import type { ResendNote } from "../../server/oidc/proven";
import { ErrorSummary, Field, HiddenFields, PrimaryButton, UsernameField } from "../ui/form";
import { bdi, plainName } from "../ui/user-text";
import { CodeField, codeErrorText, MailNote, Resend } from "./mailed-code";
import { type NameField, nameErrorText, OwnNameFields } from "./name-fields";
import { namesInOrder } from "./names-in-order";
import { type NewPasswordError, newPasswordErrorText, newPasswordHint, type PasswordLengths } from "./new-password";
import { PasskeyForm, type PasskeyFormProps } from "./passkey-form";
import { PasswordField } from "./password-field";
import { SentenceWithTime } from "./time";
import { ToApp } from "./to-app";

export interface ForgotPasswordProps {
  flow: string;
  action: string;
  loginName?: string;
  error?: "missing";
  signInHref?: string;
  /** The application that the user is signing in to. */
  appName?: string;
  organizationName?: string;
}

export function ForgotPasswordPage({
  t,
  locale,
  ...props
}: ForgotPasswordProps & { t: LoginTranslator; locale: string }) {
  const error = props.error && t("signIn.missingLoginName");
  return (
    <>
      <h1>{t("resetPassword.title")}</h1>
      <ToApp t={t} appName={props.appName} />
      <p>{t("resetPassword.explanation")}</p>
      {error && <ErrorSummary entries={[{ field: "loginName", text: error }]} />}
      <form method="post" action={props.action} noValidate>
        <HiddenFields values={{ flow: props.flow, ui_locales: locale }} />
        <Field
          name="loginName"
          label={t("common.loginName")}
          value={props.loginName}
          error={error}
          errorPrefix={t("common.fieldError")}
          type="text"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          autoFocus={!error}
        />
        <PrimaryButton id="submit">{t("resetPassword.send")}</PrimaryButton>
      </form>
      {props.signInHref && (
        <p className="aside">
          <a href={props.signInHref}>{t("resetPassword.back")}</a>
        </p>
      )}
    </>
  );
}

export interface ResetPasswordProps extends PasswordLengths {
  action: string;
  /** Either the flow that waits for the code, or the secret of the link. */
  flow?: string;
  token?: string;
  /** The account's login name with a link, else the typed one. */
  loginName: string;
  /** Only with a link: when it expires, in epoch milliseconds. */
  expiresAt?: number;
  timeZone?: string;
  /** Whether the user was invited and sets a first password. */
  isFirst?: boolean;
  /** With `isFirst`: the names as known or typed; undefined does not ask for them. */
  names?: Partial<Record<NameField, string>>;
  /** The maximum length of a name, in characters. */
  maximumNameLength?: number;
  /** With `isFirst`: the person who invited the user, if a person did. */
  inviterName?: string;
  /** A passkey instead of the first password. */
  passkey?: PasskeyFormProps;
  /** Whether the code must be typed. */
  needsCode: boolean;
  /** With a code: the address of the form for another email, the sender, and the result of the last request for one. */
  mail?: { resendAction: string; sender: string; note?: ResendNote };
  /** The code as typed. */
  code?: string;
  errors?: { code?: MailedCodeProblem; password?: NewPasswordError } & Partial<Record<NameField, NewPasswordError>>;
  /** The application that the user is signing in to. */
  appName?: string;
  organizationName?: string;
}

/** Returns the headline; it welcomes invited users. */
export function resetPasswordTitle(
  t: LoginTranslator,
  { isFirst, organizationName }: Pick<ResetPasswordProps, "isFirst" | "organizationName">,
): string {
  if (!isFirst) return t("resetPassword.title");
  return organizationName
    ? t("resetPassword.welcome", { name: plainName(organizationName) })
    : t("resetPassword.first");
}

export function ResetPasswordPage({
  t,
  locale,
  ...props
}: ResetPasswordProps & { t: LoginTranslator; locale: string }) {
  const { errors = {}, flow, isFirst, loginName, mail } = props;
  const password = errors.password && newPasswordErrorText(t, errors.password, props);
  const nameError = (field: NameField) =>
    errors[field] && nameErrorText(t, field, errors[field], props.maximumNameLength ?? 0);
  const nameErrors = { givenName: nameError("givenName"), familyName: nameError("familyName") };
  const asked = props.names ? namesInOrder(locale).map(({ name }) => name) : [];
  const firstEmpty = asked.find((field) => !props.names?.[field]);
  const entries = [
    ...asked.flatMap((field) => (nameErrors[field] ? [{ field, text: nameErrors[field] }] : [])),
    ...(errors.code ? [{ field: "code", text: codeErrorText(t, errors.code) }] : []),
    ...(password ? [{ field: "password", text: password }] : []),
  ];
  return (
    <>
      <h1>{resetPasswordTitle(t, props)}</h1>
      <ToApp t={t} appName={props.appName} />
      {props.inviterName && <p>{t.rich("resetPassword.invitedBy", { ...bdi, name: plainName(props.inviterName) })}</p>}
      <p className={props.needsCode ? undefined : "lead"}>
        {t.rich(explanationOf(props), { ...bdi, name: plainName(loginName) })}
      </p>
      <MailNote t={t} note={mail?.note} />
      {entries.length > 0 && <ErrorSummary entries={entries} />}
      <form method="post" action={props.action} noValidate>
        <HiddenFields values={{ flow, token: props.token, names: props.names && "asked", ui_locales: locale }} />
        <UsernameField label={t("common.loginName")} value={loginName} />
        {props.names && (
          <OwnNameFields
            t={t}
            locale={locale}
            values={props.names}
            errors={nameErrors}
            autoFocus={entries.length === 0 ? firstEmpty : undefined}
          />
        )}
        {props.needsCode && <CodeField t={t} value={props.code} error={errors.code} autoFocus={entries.length === 0} />}
        <PasswordField
          t={t}
          name="password"
          label={t(isFirst ? "common.password" : "resetPassword.newPassword")}
          hint={newPasswordHint(t, props)}
          error={password}
          minimumLength={props.minimumPasswordLength}
          autoFocus={entries.length === 0 && !props.needsCode && firstEmpty === undefined}
        />
        <p className="hint">
          {!isFirst && t("resetPassword.ends")}
          {props.expiresAt !== undefined && (
            <>
              {" "}
              <SentenceWithTime
                at={props.expiresAt}
                locale={locale}
                timeZone={props.timeZone}
                sentence={(time) => t("resetPassword.until", { time })}
              />
            </>
          )}
        </p>
        <PrimaryButton id="submit">{t(isFirst ? "common.continue" : "resetPassword.submit")}</PrimaryButton>
      </form>
      {props.passkey && (
        <PasskeyForm
          t={t}
          kind="create"
          id="add-passkey"
          className="secondary"
          label={t("passkey.addInstead")}
          {...props.passkey}
          fields={{ ...props.passkey.fields, ui_locales: locale }}
        />
      )}
      {mail && (
        <Resend
          t={t}
          sender={mail.sender}
          action={mail.resendAction}
          fields={{ flow, loginName, ui_locales: locale }}
        />
      )}
    </>
  );
}

function explanationOf({ isFirst, needsCode }: ResetPasswordProps) {
  if (needsCode) return "resetPassword.sent";
  return isFirst ? "resetPassword.choose" : "resetPassword.of";
}
