// The protection of a user's account: passkeys, password, second factors, recovery codes. Removing or replacing one is
// confirmed on a separate page.
import type { ReactNode } from "react";
import type { LoginTranslator } from "../../../messages/login";
import type { SentKind } from "../../../server/protocol/second-factor";
import { Field, HiddenFields } from "../../ui/form";
import { linkTarget } from "../../ui/links";
import { bdi, Name, plainName } from "../../ui/user-text";
import { AccountButton, AccountFrame, accountHref, accountSections } from "../account-frame";
import { SENT_TEXTS, SENT_TO_TEXTS, WAY_NAMES } from "../factor-texts";
import { LinkErrorNote, LinkedAccounts, type LinkedAccountsProps } from "./linked-accounts";
import { dayIn } from "./times";

/** A factor. Times are epoch milliseconds. */
export interface AccountFactor {
  id: string;
  name: string;
  createdAt: number;
  usedAt?: number;
}

export interface SentFactor {
  kind: SentKind;
  /** The identifier in ids and forms. */
  word: string;
  /** The verified address or number to which codes can be sent. */
  address?: string;
  /** Undefined if these codes are off. */
  factor?: Omit<AccountFactor, "name">;
  /** Whether the organization lets users turn them on. */
  isOffered: boolean;
}

export interface AccountSecurityProps extends LinkedAccountsProps {
  /** The address that every form posts to, and its hidden fields. */
  action: string;
  /** The page that asks before something is removed. */
  confirmPath: string;
  saved: boolean;
  passwordChangedAt?: number;
  /** If the password expires soon. */
  passwordExpiresAt?: number;
  changePasswordHref: string;
  apps: readonly AccountFactor[];
  /** Undefined if the organization does not allow another one. */
  addAppHref?: string;
  /** The codes that are sent, by kind. */
  sent: readonly SentFactor[];
  passkeys: readonly (AccountFactor & { synced: boolean })[];
  addPasskeyHref: string;
  maximumNameLength: number;
  recoveryCodesLeft: number;
  organizationName?: string;
}

type Props = AccountSecurityProps & { t: LoginTranslator; locale: string };

export function AccountSecurityPage(props: Props) {
  const { t, fields, saved, linkError } = props;
  return (
    <AccountFrame t={t} section="security" fields={fields} saved={saved}>
      {linkError && <LinkErrorNote t={t} error={linkError} />}
      {!saved && <p>{t("account.lead")}</p>}
      <Passkeys {...props} />
      <Password {...props} />
      <Factors {...props} />
      <LinkedAccounts {...props} />
      <RecoveryCodes {...props} />
    </AccountFrame>
  );
}

function Password({ t, timeZone, passwordChangedAt, passwordExpiresAt, changePasswordHref }: Props) {
  return (
    <section aria-labelledby="password-section">
      <h2 id="password-section">{t("account.password")}</h2>
      <p>
        {passwordChangedAt === undefined
          ? t("account.noPassword")
          : t("account.passwordChanged", { date: dayIn(t, "account.passwordChanged", timeZone)(passwordChangedAt) })}
      </p>
      {passwordExpiresAt !== undefined && (
        <p className="note">
          {t("account.passwordExpires", { date: dayIn(t, "account.passwordExpires", timeZone)(passwordExpiresAt) })}
        </p>
      )}
      <p>
        <a id="change-password" className="secondary" href={linkTarget(changePasswordHref)}>
          {t("changePassword.title")}
        </a>
      </p>
    </section>
  );
}

function Factors(props: Props) {
  const { t, apps, sent } = props;
  const isAnySent = sent.some(({ factor }) => factor !== undefined);
  return (
    <section aria-labelledby="apps-section">
      <h2 id="apps-section">{t("account.apps")}</h2>
      {apps.length === 0 && !isAnySent && <p>{t("account.none")}</p>}
      <ul className="entries">
        {apps.map((app, index) => (
          <Entry key={app.id} {...props} entry={app} what="remove-factor" at={`app-${index + 1}`} />
        ))}
        {sent.map(
          ({ kind, word, address, factor }) =>
            factor && (
              <Entry
                key={kind}
                {...props}
                entry={{ ...factor, name: t(WAY_NAMES[kind]) }}
                what="remove-factor"
                at={word}
              >
                {address && <p>{t.rich(SENT_TO_TEXTS.listed, { ...bdi, email: plainName(address) })}</p>}
              </Entry>
            ),
        )}
      </ul>
      {props.addAppHref && (
        <p>
          <a id="add-app" className="secondary" href={linkTarget(props.addAppHref)}>
            {t("account.addApp")}
          </a>
        </p>
      )}
      {sent.map((codes) => !codes.factor && codes.isOffered && <SentCodes key={codes.kind} {...props} codes={codes} />)}
    </section>
  );
}

function SentCodes({ t, action, fields, codes: { kind, word, address } }: Props & { codes: SentFactor }) {
  const texts = SENT_TEXTS[kind];
  return address === undefined ? (
    <p>
      <a id={`confirm-${kind}`} href={accountHref(accountSections[texts.section].path, fields)}>
        {t(texts.confirmFirst)}
      </a>
    </p>
  ) : (
    <AccountButton
      action={action}
      fields={{ ...fields, what: `enable-${word}` }}
      id={`enable-${word}`}
      className="secondary"
    >
      {t(texts.add)}
    </AccountButton>
  );
}

function Passkeys(props: Props) {
  const { t, passkeys, maximumNameLength } = props;
  return (
    <section aria-labelledby="passkeys-section">
      <h2 id="passkeys-section">{t("account.passkeys")}</h2>
      {passkeys.length === 0 && (
        <p>
          <strong>{t("account.noPasskey")}</strong> {t("account.noPasskeyText")}
        </p>
      )}
      <ul className="entries">
        {passkeys.map((passkey, index) => (
          <Entry key={passkey.id} {...props} entry={passkey} what="remove-passkey" at={`passkey-${index + 1}`}>
            {passkey.synced && <p>{t("account.synced")}</p>}
            <details>
              <summary>{t("account.rename")}</summary>
              <form method="post" action={props.action}>
                <HiddenFields
                  values={{ ...props.fields, what: "rename-passkey", id: passkey.id, at: `${index + 1}` }}
                />
                <Field
                  name={`name-${index + 1}`}
                  label={t.rich("account.nameOf", { ...bdi, name: plainName(passkey.name) })}
                  value={passkey.name}
                  errorPrefix={t("common.fieldError")}
                  type="text"
                  autoComplete="off"
                  maxLength={maximumNameLength}
                  dir="auto"
                />
                <button className="secondary" type="submit" id={`rename-${index + 1}`}>
                  {t("account.rename")}
                </button>
              </form>
            </details>
          </Entry>
        ))}
      </ul>
      <a
        id="add-passkey"
        className={passkeys.length === 0 ? "primary" : "secondary"}
        href={linkTarget(props.addPasskeyHref)}
      >
        {t("passkey.addTitle")}
      </a>
    </section>
  );
}

function RecoveryCodes({ t, apps, passkeys, sent, recoveryCodesLeft, confirmPath, fields }: Props) {
  if (apps.length + passkeys.length === 0 && sent.every(({ factor }) => !factor)) return null;
  return (
    <section aria-labelledby="codes-section">
      <h2 id="codes-section">{t("account.codes")}</h2>
      <p>{t("account.codesLeft", { count: recoveryCodesLeft })}</p>
      <p>
        <a id="new-codes" className="secondary" href={accountHref(confirmPath, fields, { what: "new-codes" })}>
          {t("account.newCodes")}
        </a>
      </p>
    </section>
  );
}

/** One factor with its dates, further details, and a link to remove it. */
function Entry(props: Props & { entry: AccountFactor; what: string; at: string; children?: ReactNode }) {
  const { t, timeZone, fields, confirmPath, entry, what, at, children } = props;
  const { createdAt, usedAt } = entry;
  const used = dayIn(t, "account.used", timeZone);
  return (
    <li>
      <p>
        <strong>
          <Name>{entry.name}</Name>
        </strong>
      </p>
      <p>
        {usedAt === undefined
          ? t("account.added", { date: dayIn(t, "account.added", timeZone)(createdAt) })
          : t("account.used", { date: used(createdAt), used: used(usedAt) })}
      </p>
      {children}
      <p>
        <a id={`remove-${at}`} href={accountHref(confirmPath, fields, { what, id: entry.id })}>
          <span aria-hidden="true">{t("account.remove")}</span>
          <span className="hidden">{t.rich("account.removeOf", { ...bdi, name: plainName(entry.name) })}</span>
        </a>
      </p>
    </li>
  );
}
