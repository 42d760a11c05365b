// A user's own email address and phone number: whether they are verified, verification by a code, their change, and the
// page of the mailed link. That page only asks, so that programs that open links do not use it up.
import type { ReactNode } from "react";
import type { LoginTranslator } from "../../../messages/login";
import type { CodeProblem } from "../../../server/directory/mailed-code/open";
import type { CurrentPasswordProblem } from "../../../server/directory/user/current-password";
import type { AddressProblem } from "../../../server/login/account/contact";
import type { ResendNote } from "../../../server/oidc/proven";
import { ErrorSummary, Field, HiddenFields, PrimaryButton, type SummaryEntry, UsernameField } from "../../ui/form";
import { linkTarget } from "../../ui/links";
import { bdi, LoginName, plainName } from "../../ui/user-text";
import { AccountButton, type AccountFields, AccountFrame, Cancel } from "../account-frame";
import { currentPasswordErrorText } from "../change-password-page";
import { CodeField, codeErrorText, MailNote, Resend } from "../mailed-code";
import { PasswordField } from "../password-field";

type Props<T> = T & { t: LoginTranslator };

interface ContactProps {
  action: string;
  fields: AccountFields;
  saved: boolean;
  /** The address or number. */
  value?: string;
  isVerified: boolean;
  /** The address or number that a code was sent to, awaiting verification. */
  pending?: string;
  organizationName?: string;
}

interface ContactTexts {
  none: string;
  title: string;
  sent: ReactNode;
  error?: CodeProblem;
  isTexted?: boolean;
  /** The form that requests another code. */
  children: ReactNode;
}

/** The address or number, and the form for a code that was sent. */
function Contact({ t, action, fields, value, isVerified, pending, ...texts }: Props<ContactProps & ContactTexts>) {
  return (
    <>
      {value === undefined ? (
        <p>{texts.none}</p>
      ) : (
        <>
          <p>
            <strong>
              <LoginName>{value}</LoginName>
            </strong>
          </p>
          <p className={isVerified ? "state active" : "state"}>
            {t(isVerified ? "account.emailConfirmed" : "account.emailUnconfirmed")}
          </p>
        </>
      )}
      {pending !== undefined && (
        <section aria-labelledby="pending-section">
          <h2 id="pending-section">{texts.title}</h2>
          <p>{texts.sent}</p>
          <form method="post" action={action} noValidate>
            <HiddenFields values={{ ...fields, what: "confirm" }} />
            <CodeField t={t} error={texts.error} isTexted={texts.isTexted} />
            <PrimaryButton id="submit">{t("verifyEmail.submit")}</PrimaryButton>
          </form>
          {texts.children}
          <form method="post" action={action} className="aside">
            <HiddenFields values={{ ...fields, what: "drop" }} />
            <button className="link" type="submit" id="drop">
              {t("account.cancel")}
            </button>
          </form>
        </section>
      )}
    </>
  );
}

export interface AccountEmailProps extends ContactProps {
  /** The address that our mails are sent from. */
  sender: string;
  /** The result of the last request for a code. */
  note?: ResendNote;
  error?: CodeProblem;
  changeHref: string;
}

export function AccountEmailPage({ t, ...props }: Props<AccountEmailProps>) {
  const { action, fields, value, isVerified, pending, error } = props;
  const sent = t.rich("verifyEmail.sent", { ...bdi, email: plainName(pending ?? "") });
  const toSend = { ...fields, what: "send" };
  return (
    <AccountFrame t={t} section="email" fields={fields} saved={props.saved}>
      {error && <ErrorSummary entries={[{ field: "code", text: codeErrorText(t, error) }]} />}
      <MailNote t={t} note={props.note} />
      <Contact t={t} {...props} none={t("account.noEmail")} title={t("verifyEmail.linkTitle")} sent={sent}>
        <Resend t={t} sender={props.sender} action={action} fields={toSend} />
      </Contact>
      {pending === undefined && value !== undefined && !isVerified && (
        <>
          <p>{t("account.confirmEmailText")}</p>
          <AccountButton action={action} fields={toSend} id="send" className="primary">
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

export interface AccountPhoneProps extends ContactProps {
  /** The rejected number, as typed. */
  typed?: string;
  errors?: { phone?: "invalid" | "too-many"; code?: CodeProblem };
  /** Whether the number can be removed: no codes are sent there at sign-in. */
  isRemovable: boolean;
}

export function AccountPhonePage({ t, ...props }: Props<AccountPhoneProps>) {
  const { action, fields, value, isVerified, pending, errors = {} } = props;
  const refused = errors.phone && t(errors.phone === "invalid" ? "account.phoneInvalid" : "secondFactor.tooManyMails");
  const entries: SummaryEntry[] = [
    ...(errors.code ? [{ field: "code", text: codeErrorText(t, errors.code, true) }] : []),
    ...(refused ? [{ field: "phone", text: refused }] : []),
  ];
  const sent = t.rich("account.phoneSent", { ...bdi, phone: plainName(pending ?? "") });
  const texts = { none: t("account.noPhone"), title: t("code.label"), sent, error: errors.code };
  return (
    <AccountFrame t={t} section="phone" fields={fields} saved={props.saved}>
      {entries.length > 0 && <ErrorSummary entries={entries} />}
      <Contact t={t} {...props} {...texts} isTexted>
        <form method="post" action={action} className="aside">
          <HiddenFields values={{ ...fields, what: "send", phone: pending }} />
          <p>{t("code.notThereSms")}</p>
          <button className="link" type="submit" id="resend">
            {t("code.resend")}
          </button>
        </form>
      </Contact>
      {pending === undefined && (
        <form method="post" action={action} noValidate>
          <HiddenFields values={{ ...fields, what: "send" }} />
          <Field
            name="phone"
            label={t("account.phone")}
            hint={t("account.phoneHint")}
            value={props.typed ?? (isVerified ? undefined : value)}
            error={refused}
            errorPrefix={t("common.fieldError")}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            maxLength={40}
            dir="ltr"
          />
          <PrimaryButton id="send">{t("account.sendSms")}</PrimaryButton>
        </form>
      )}
      {pending === undefined && value !== undefined && props.isRemovable && (
        <AccountButton action={action} fields={{ ...fields, what: "remove" }} id="remove" className="link">
          {t.rich("account.removeOf", { ...bdi, name: plainName(value) })}
        </AccountButton>
      )}
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
