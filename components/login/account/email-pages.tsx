// A user's own email address: whether it is verified, verification by a code, its change, and the page of the mailed
// link. That page only asks, so that programs that open links do not use it up.
import type { LoginTranslator } from "../../../messages/login";
import type { CodeProblem } from "../../../server/directory/mailed-code/open";
import type { CurrentPasswordProblem } from "../../../server/directory/user/current-password";
import type { AddressProblem } from "../../../server/login/account/email";
import type { ResendNote } from "../../../server/oidc/flow";
import { ErrorSummary, Field, HiddenFields, PrimaryButton, type SummaryEntry, UsernameField } from "../../ui/form";
import { linkTarget } from "../../ui/links";
import { bdi, LoginName, plainName } from "../../ui/user-text";
import { AccountButton, type AccountFields, AccountFrame, Cancel } from "../account-frame";
import { currentPasswordErrorText } from "../change-password-page";
import { CodeField, codeErrorText, MailNote, Resend } from "../mailed-code";
import { PasswordField } from "../password-field";

export interface AccountEmailProps {
  action: string;
  fields: AccountFields;
  saved: boolean;
  email?: string;
  isEmailVerified: boolean;
  /** The address that a code was sent to, awaiting verification. */
  pending?: string;
  /** The address that our mails are sent from. */
  sender: string;
  /** The result of the last request for a code. */
  note?: ResendNote;
  error?: CodeProblem;
  changeHref: string;
  organizationName?: string;
}

type Props<T> = T & { t: LoginTranslator };

export function AccountEmailPage({ t, ...props }: Props<AccountEmailProps>) {
  const { action, fields, email, isEmailVerified, pending, error } = props;
  return (
    <AccountFrame t={t} section="email" fields={fields} saved={props.saved}>
      {error && <ErrorSummary entries={[{ field: "code", text: codeErrorText(t, error) }]} />}
      <MailNote t={t} note={props.note} />
      {email === undefined ? (
        <p>{t("account.noEmail")}</p>
      ) : (
        <>
          <p>
            <strong>
              <LoginName>{email}</LoginName>
            </strong>
          </p>
          <p className={isEmailVerified ? "state active" : "state"}>
            {t(isEmailVerified ? "account.emailConfirmed" : "account.emailUnconfirmed")}
          </p>
        </>
      )}
      {pending !== undefined && (
        <section aria-labelledby="pending-section">
          <h2 id="pending-section">{t("verifyEmail.linkTitle")}</h2>
          <p>{t.rich("verifyEmail.sent", { ...bdi, email: plainName(pending) })}</p>
          <form method="post" action={action} noValidate>
            <HiddenFields values={{ ...fields, what: "confirm" }} />
            <CodeField t={t} error={error} />
            <PrimaryButton id="submit">{t("verifyEmail.submit")}</PrimaryButton>
          </form>
          <Resend t={t} sender={props.sender} action={action} fields={{ ...fields, what: "send" }} />
          <form method="post" action={action} className="aside">
            <HiddenFields values={{ ...fields, what: "drop" }} />
            <button className="link" type="submit" id="drop">
              {t("account.cancel")}
            </button>
          </form>
        </section>
      )}
      {pending === undefined && email !== undefined && !isEmailVerified && (
        <>
          <p>{t("account.confirmEmailText")}</p>
          <AccountButton action={action} fields={{ ...fields, what: "send" }} id="send" className="primary">
            {t("verifyEmail.linkTitle")}
          </AccountButton>
        </>
      )}
      <a className="secondary" id="change-email" href={linkTarget(props.changeHref)}>
        {t("account.changeEmail")}
      </a>
    </AccountFrame>
  );
}

export interface ChangeEmailProps {
  action: string;
  fields: AccountFields;
  loginName: string;
  /** The address as typed. */
  email?: string;
  /** Without a password, the form does not ask for it. */
  hasPassword: boolean;
  errors?: {
    email?: AddressProblem;
    currentPassword?: CurrentPasswordProblem["currentPassword"];
  };
  /** Only with `throttled`. */
  retryAfterMinutes?: number;
  maximumLength: number;
  cancelHref: string;
  organizationName?: string;
}

export function ChangeEmailPage({ t, ...props }: Props<ChangeEmailProps>) {
  const { errors = {}, loginName } = props;
  const email = errors.email && addressErrorText(t, errors.email, props.maximumLength);
  const current =
    errors.currentPassword && currentPasswordErrorText(t, errors.currentPassword, props.retryAfterMinutes);
  const entries: SummaryEntry[] = [
    ...(email ? [{ field: "email", text: email }] : []),
    ...(current ? [{ field: "currentPassword", text: current }] : []),
  ];
  return (
    <>
      <h1>{t("account.changeEmail")}</h1>
      <p className="lead">{t.rich("resetPassword.of", { ...bdi, name: plainName(loginName) })}</p>
      <p>{t("account.changeEmailText")}</p>
      {entries.length > 0 && <ErrorSummary entries={entries} />}
      <form method="post" action={props.action} noValidate>
        <HiddenFields values={props.fields} />
        <Field
          name="email"
          label={t("account.newEmail")}
          value={props.email}
          error={email}
          errorPrefix={t("common.fieldError")}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={props.maximumLength}
          dir="ltr"
          autoFocus={entries.length === 0}
        />
        {props.hasPassword && (
          <>
            <UsernameField label={t("common.loginName")} value={loginName} />
            <PasswordField t={t} name="currentPassword" label={t("changePassword.current")} error={current} />
          </>
        )}
        <PrimaryButton id="submit">{t("common.continue")}</PrimaryButton>
      </form>
      <Cancel t={t} href={props.cancelHref} />
    </>
  );
}

function addressErrorText(t: LoginTranslator, error: AddressProblem, maximumLength: number): string {
  switch (error) {
    case "missing":
      return t("setup.missingEmail");
    case "invalid":
      return t("setup.invalidEmail");
    case "too-long":
      return t("setup.tooLong", { count: maximumLength });
    case "same":
      return t("account.sameEmail");
  }
}

export interface AddressLinkProps {
  /** The form with the secret of the link, which the post sends back. */
  action: string;
  fields: AccountFields;
  email: string;
  loginName: string;
  cancelHref: string;
  organizationName?: string;
}

export function AddressLinkPage({ t, ...props }: Props<AddressLinkProps>) {
  return (
    <>
      <h1>{t("verifyEmail.linkTitle")}</h1>
      <p className="lead">{t.rich("resetPassword.of", { ...bdi, name: plainName(props.loginName) })}</p>
      <p>{t.rich("account.linkQuestion", { ...bdi, email: plainName(props.email) })}</p>
      <AccountButton action={props.action} fields={props.fields} id="submit" className="primary">
        {t("verifyEmail.submit")}
      </AccountButton>
      <Cancel t={t} href={props.cancelHref} />
    </>
  );
}
