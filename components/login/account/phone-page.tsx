// A user's own phone number: whether it is verified, and verifying it, or another one, by a code that is sent there.
import type { LoginTranslator } from "../../../messages/login";
import type { CodeProblem } from "../../../server/directory/mailed-code/open";
import { ErrorSummary, Field, HiddenFields, PrimaryButton, type SummaryEntry } from "../../ui/form";
import { bdi, LoginName, plainName } from "../../ui/user-text";
import { AccountButton, type AccountFields, AccountFrame } from "../account-frame";
import { CodeField, codeErrorText } from "../mailed-code";

export interface AccountPhoneProps {
  action: string;
  fields: AccountFields;
  saved: boolean;
  phone?: string;
  isPhoneVerified: boolean;
  /** The number that a code was sent to, awaiting verification. */
  pending?: string;
  /** The rejected number, as typed. */
  typed?: string;
  errors?: { phone?: "invalid" | "too-many"; code?: CodeProblem };
  /** Whether the number can be removed: no codes are sent there at sign-in. */
  isRemovable: boolean;
  organizationName?: string;
}

export function AccountPhonePage({ t, ...props }: AccountPhoneProps & { t: LoginTranslator }) {
  const { action, fields, phone, isPhoneVerified, pending, errors = {} } = props;
  const refused = errors.phone && t(errors.phone === "invalid" ? "account.phoneInvalid" : "secondFactor.tooManyMails");
  const entries: SummaryEntry[] = [
    ...(errors.code ? [{ field: "code", text: codeErrorText(t, errors.code, true) }] : []),
    ...(refused ? [{ field: "phone", text: refused }] : []),
  ];
  return (
    <AccountFrame t={t} section="phone" fields={fields} saved={props.saved}>
      {entries.length > 0 && <ErrorSummary entries={entries} />}
      {phone === undefined ? (
        <p>{t("account.noPhone")}</p>
      ) : (
        <>
          <p>
            <strong>
              <LoginName>{phone}</LoginName>
            </strong>
          </p>
          <p className={isPhoneVerified ? "state active" : "state"}>
            {t(isPhoneVerified ? "account.emailConfirmed" : "account.emailUnconfirmed")}
          </p>
        </>
      )}
      {pending !== undefined && (
        <section aria-labelledby="pending-section">
          <h2 id="pending-section">{t("code.label")}</h2>
          <p>{t.rich("account.phoneSent", { ...bdi, phone: plainName(pending) })}</p>
          <form method="post" action={action} noValidate>
            <HiddenFields values={{ ...fields, what: "confirm" }} />
            <CodeField t={t} error={errors.code} isTexted />
            <PrimaryButton id="submit">{t("verifyEmail.submit")}</PrimaryButton>
          </form>
          <form method="post" action={action} className="aside">
            <HiddenFields values={{ ...fields, what: "send", phone: pending }} />
            <p>{t("code.notThereSms")}</p>
            <button className="link" type="submit" id="resend">
              {t("code.resend")}
            </button>
          </form>
          <form method="post" action={action} className="aside">
            <HiddenFields values={{ ...fields, what: "drop" }} />
            <button className="link" type="submit" id="drop">
              {t("account.cancel")}
            </button>
          </form>
        </section>
      )}
      {pending === undefined && (
        <form method="post" action={action} noValidate>
          <HiddenFields values={{ ...fields, what: "send" }} />
          <Field
            name="phone"
            label={t("account.phone")}
            hint={t("account.phoneHint")}
            value={props.typed ?? (isPhoneVerified ? undefined : phone)}
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
      {pending === undefined && phone !== undefined && props.isRemovable && (
        <AccountButton action={action} fields={{ ...fields, what: "remove" }} id="remove" className="link">
          {t.rich("account.removeOf", { ...bdi, name: plainName(phone) })}
        </AccountButton>
      )}
    </AccountFrame>
  );
}
