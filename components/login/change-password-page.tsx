// Changes the password, by choice or because it is required before continuing. The form asks for the current password,
// has the new one typed once, and offers to sign out everywhere else (ASVS 7.4.3).
import type { LoginTranslator } from "../../messages/login";
import type { CurrentPasswordProblem } from "../../server/directory/user/current-password";
import { Checkbox, ErrorSummary, HiddenFields, PrimaryButton, UsernameField } from "../ui/form";
import { loginNameIn } from "../ui/user-text";
import { Cancel } from "./account-frame";
import { type NewPasswordError, newPasswordErrorText, newPasswordHint, type PasswordLengths } from "./new-password";
import { PasswordField } from "./password-field";
import { ToApp } from "./to-app";

export interface ChangePasswordProps extends PasswordLengths {
  flow: string;
  action: string;
  loginName: string;
  /** Why the application has to wait for the change; undefined for a voluntary one. */
  because: "required" | "expired" | undefined;
  /** Whether the box is checked; it is by default. */
  signOutElsewhere: boolean;
  errors?: { currentPassword?: CurrentPasswordProblem["currentPassword"]; password?: NewPasswordError };
  /** Only with `throttled`. */
  retryAfterMinutes?: number;
  /** The back link, for users who came by choice. */
  cancelHref?: string;
  /** The application that the user is signing in to. */
  appName?: string;
  organizationName?: string;
}

export function ChangePasswordPage({
  t,
  locale,
  ...props
}: ChangePasswordProps & { t: LoginTranslator; locale: string }) {
  const { errors = {} } = props;
  const current =
    errors.currentPassword && currentPasswordErrorText(t, errors.currentPassword, props.retryAfterMinutes);
  const password = errors.password && newPasswordErrorText(t, errors.password, props);
  const entries = [
    ...(current ? [{ field: "currentPassword", text: current }] : []),
    ...(password ? [{ field: "password", text: password }] : []),
  ];
  return (
    <>
      <h1>{t("changePassword.title")}</h1>
      <ToApp t={t} appName={props.appName} />
      <p className="lead">{t.rich("resetPassword.of", loginNameIn(props.loginName))}</p>
      {props.because && (
        <p className="note">{t(props.because === "expired" ? "changePassword.expired" : "changePassword.required")}</p>
      )}
      {entries.length > 0 && <ErrorSummary entries={entries} />}
      <form method="post" action={props.action} noValidate>
        <HiddenFields values={{ flow: props.flow, ui_locales: locale }} />
        <UsernameField label={t("common.loginName")} value={props.loginName} />
        <PasswordField
          t={t}
          name="currentPassword"
          label={t("changePassword.current")}
          error={current}
          autoFocus={entries.length === 0}
        />
        <PasswordField
          t={t}
          name="password"
          label={t("resetPassword.newPassword")}
          hint={newPasswordHint(t, props)}
          error={password}
          minimumLength={props.minimumPasswordLength}
        />
        <Checkbox
          name="signOutElsewhere"
          label={t("changePassword.signOutElsewhere")}
          defaultChecked={props.signOutElsewhere}
        />
        <PrimaryButton id="submit">{t("changePassword.submit")}</PrimaryButton>
      </form>
      {props.cancelHref && !props.because && <Cancel t={t} href={props.cancelHref} />}
    </>
  );
}

/**
 * Returns the error text.
 * @param minutes the minutes until the next attempt is allowed, with `throttled`
 */
export function currentPasswordErrorText(
  t: LoginTranslator,
  error: CurrentPasswordProblem["currentPassword"],
  minutes = 1,
): string {
  switch (error) {
    case "missing":
      return t("changePassword.missingCurrent");
    case "wrong":
      return t("changePassword.wrongCurrent");
    case "unavailable":
      return t("signIn.unavailable");
    case "throttled":
      return t("signIn.throttled", { minutes: Math.max(1, minutes) });
  }
}
