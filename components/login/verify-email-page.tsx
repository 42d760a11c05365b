// Verifies an address: by the code, in the window in which the account is being created, or by the mailed link, whose
// page only asks, so that programs that open links do not use it up.
import type { LoginTranslator } from "../../messages/login";
import type { CodeProblem, MailedCodeProblem } from "../../server/directory/mailed-code/open";
import type { ResendNote } from "../../server/oidc/proven";
import { ErrorSummary, HiddenFields, PrimaryButton } from "../ui/form";
import { bdi, plainName } from "../ui/user-text";
import { CodeField, codeErrorText, MailNote, Resend } from "./mailed-code";
import { PasswordField } from "./password-field";
import { ToApp } from "./to-app";

export interface VerifyEmailProps {
  flow: string;
  action: string;
  resendAction: string;
  /** The address as typed; the page does not reveal whether there is an account. */
  email: string;
  sender: string;
  note?: ResendNote;
  /** The link back to the form, to correct the address. */
  changeHref: string;
  error?: MailedCodeProblem;
  /** The application that the user is signing in to. */
  appName?: string;
  organizationName?: string;
}

export function VerifyEmailPage({ t, locale, ...props }: VerifyEmailProps & { t: LoginTranslator; locale: string }) {
  const { error, email, flow } = props;
  return (
    <>
      <h1>{t("verifyEmail.title")}</h1>
      <ToApp t={t} appName={props.appName} />
      <p>{t.rich("verifyEmail.sent", { ...bdi, email: plainName(email) })}</p>
      <MailNote t={t} note={props.note} />
      {error && <ErrorSummary entries={[{ field: "code", text: codeErrorText(t, error) }]} />}
      <form method="post" action={props.action} noValidate>
        <HiddenFields values={{ flow, ui_locales: locale }} />
        <CodeField t={t} error={error} autoFocus={!error} />
        <PrimaryButton id="submit">{t("verifyEmail.submit")}</PrimaryButton>
      </form>
      <Resend t={t} sender={props.sender} action={props.resendAction} fields={{ flow, ui_locales: locale }} />
      <p className="aside">
        <a href={props.changeHref}>{t("verifyEmail.change")}</a>
      </p>
    </>
  );
}

export interface ConfirmEmailProps {
  /** The secret of the link, which the post sends back. */
  token: string;
  action: string;
  email: string;
  /** Whether the link was opened in another browser than the form. */
  needsPassword: boolean;
  error?: CodeProblem;
  organizationName?: string;
}

export function ConfirmEmailPage({ t, locale, ...props }: ConfirmEmailProps & { t: LoginTranslator; locale: string }) {
  const text = props.error && passwordErrorText(t, props.error);
  return (
    <>
      <h1>{t("verifyEmail.linkTitle")}</h1>
      <p>{t.rich("verifyEmail.linkQuestion", { ...bdi, email: plainName(props.email) })}</p>
      {text && <ErrorSummary entries={[{ field: "password", text }]} />}
      <form method="post" action={props.action} noValidate>
        <HiddenFields values={{ token: props.token, ui_locales: locale }} />
        {props.needsPassword && (
          <PasswordField
            t={t}
            name="password"
            label={t("common.password")}
            hint={t("verifyEmail.linkPassword")}
            error={text}
            autoFocus={!text}
          />
        )}
        <PrimaryButton id="submit">{t("verifyEmail.submit")}</PrimaryButton>
      </form>
    </>
  );
}

function passwordErrorText(t: LoginTranslator, error: CodeProblem): string {
  if (error === "missing") return t("signIn.missingPassword");
  return error === "wrong" ? t("verifyEmail.wrongPassword") : t("code.blocked");
}
