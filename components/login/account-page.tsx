// A person's own page: password, second steps, passkeys, recovery codes, sessions. Every change is a form of its own;
// what cannot be undone is asked for once more by unfolding it, which needs no script.
import type { ReactNode } from "react";
import type { LoginTranslator } from "../../messages/login";
import { Field, HiddenFields } from "../ui/form";
import { linkTarget } from "../ui/links";
import { bdi, LoginName, Name, plainName } from "../ui/user-text";
import { deviceName } from "./device-name";

/** Times are epoch milliseconds. */
export interface AccountFactor {
  id: string;
  name: string;
  createdAt: number;
  usedAt?: number;
}

export interface AccountPageProps {
  /** Where every form posts to, and what it carries. */
  action: string;
  fields: Readonly<Record<string, string | undefined>>;
  displayName: string;
  loginName: string;
  /** A change has just been made. */
  saved: boolean;
  passwordChangedAt?: number;
  changePasswordHref: string;
  apps: readonly AccountFactor[];
  addAppHref: string;
  mailedCodes?: AccountFactor;
  /** Verified address, where codes can go. */
  email?: string;
  passkeys: readonly (AccountFactor & { synced: boolean })[];
  addPasskeyHref: string;
  maximumNameLength: number;
  recoveryCodesLeft: number;
  sessions: readonly { id: string; userAgent: string; address?: string; lastSeenAt: number; current: boolean }[];
  signOutHref: string;
  organizationName?: string;
}

type Props = AccountPageProps & { t: LoginTranslator; locale: string };

export function AccountPage(props: Props) {
  const { t } = props;
  return (
    <>
      <h1>{t("account.title")}</h1>
      <p className="lead">
        <Name>{props.displayName}</Name>, <LoginName>{props.loginName}</LoginName>
      </p>
      {props.saved ? (
        <p className="note" role="status">
          {t("account.saved")}
        </p>
      ) : (
        <p>{t("account.lead")}</p>
      )}
      <Password {...props} />
      <Factors {...props} />
      <Passkeys {...props} />
      <RecoveryCodes {...props} />
      <Sessions {...props} />
      <a className="secondary" id="sign-out" href={linkTarget(props.signOutHref)}>
        {t("account.signOut")}
      </a>
    </>
  );
}

function Password({ t, locale, passwordChangedAt, changePasswordHref }: Props) {
  return (
    <section aria-labelledby="password-section">
      <h2 id="password-section">{t("account.password")}</h2>
      <p>
        {passwordChangedAt === undefined
          ? t("account.noPassword")
          : t("account.passwordChanged", { date: day(locale, passwordChangedAt) })}
      </p>
      <p>
        <a id="change-password" href={linkTarget(changePasswordHref)}>
          {t("changePassword.title")}
        </a>
      </p>
    </section>
  );
}

function Factors(props: Props) {
  const { t, apps, mailedCodes, email } = props;
  return (
    <section aria-labelledby="apps-section">
      <h2 id="apps-section">{t("account.apps")}</h2>
      {apps.length === 0 && !mailedCodes && <p>{t("account.none")}</p>}
      <ul className="entries">
        {apps.map((app, index) => (
          <Entry key={app.id} {...props} entry={app} what="remove-factor" at={`app-${index + 1}`} />
        ))}
        {mailedCodes && (
          <Entry {...props} entry={{ ...mailedCodes, name: t("secondFactor.email") }} what="remove-factor" at="mail">
            {email && <p>{t.rich("account.mail", { ...bdi, email: plainName(email) })}</p>}
          </Entry>
        )}
      </ul>
      <p>
        <a id="add-app" href={linkTarget(props.addAppHref)}>
          {t("account.addApp")}
        </a>
      </p>
      {!mailedCodes && email && (
        <Change {...props} what="enable-mail" id="enable-mail">
          {t("account.addMail")}
        </Change>
      )}
    </section>
  );
}

function Passkeys(props: Props) {
  const { t, passkeys, maximumNameLength } = props;
  return (
    <section aria-labelledby="passkeys-section">
      <h2 id="passkeys-section">{t("account.passkeys")}</h2>
      {passkeys.length === 0 && <p>{t("account.none")}</p>}
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
      <p>
        <a id="add-passkey" href={linkTarget(props.addPasskeyHref)}>
          {t("passkey.addTitle")}
        </a>
      </p>
    </section>
  );
}

function RecoveryCodes(props: Props) {
  const { t, recoveryCodesLeft } = props;
  if (factorsOf(props) === 0) return null;
  return (
    <section aria-labelledby="codes-section">
      <h2 id="codes-section">{t("account.codes")}</h2>
      <p>{t("account.codesLeft", { count: recoveryCodesLeft })}</p>
      <details>
        <summary>{t("account.newCodes")}</summary>
        <p>{t("account.newCodesText")}</p>
        <Change {...props} what="new-codes" id="new-codes" className="secondary">
          {t("account.newCodes")}
        </Change>
      </details>
    </section>
  );
}

function Sessions(props: Props) {
  const { t, locale, sessions } = props;
  return (
    <section aria-labelledby="sessions-section">
      <h2 id="sessions-section">{t("account.sessions")}</h2>
      <ul className="entries">
        {sessions.map(({ id, userAgent, address, lastSeenAt, current }, index) => {
          const name = deviceName(userAgent) ?? t("account.unknownDevice");
          const date = moment(locale, lastSeenAt);
          return (
            <li key={id}>
              <p>
                <strong>
                  <bdi>{name}</bdi>
                </strong>
              </p>
              <p>{address ? t("account.seenFrom", { date, address }) : t("account.seen", { date })}</p>
              {current ? (
                <p className="state active">{t("account.thisBrowser")}</p>
              ) : (
                <Change {...props} what="end-session" entry={id} id={`end-session-${index + 1}`}>
                  <span aria-hidden="true">{t("account.signOut")}</span>
                  <span className="hidden">{t.rich("account.endOf", { ...bdi, name })}</span>
                </Change>
              )}
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 && (
        <Change {...props} what="end-others" id="end-others" className="secondary">
          {t("account.endOthers")}
        </Change>
      )}
    </section>
  );
}

/** One thing with its dates, what else there is to it, and the way to remove it. */
function Entry(props: Props & { entry: AccountFactor; what: string; at: string; children?: ReactNode }) {
  const { t, locale, entry, what, at, children } = props;
  const name = plainName(entry.name);
  const date = day(locale, entry.createdAt);
  return (
    <li>
      <p>
        <strong>
          <Name>{entry.name}</Name>
        </strong>
      </p>
      <p>
        {entry.usedAt === undefined
          ? t("account.added", { date })
          : t("account.used", { date, used: day(locale, entry.usedAt) })}
      </p>
      {children}
      <details>
        <summary>
          <span aria-hidden="true">{t("account.remove")}</span>
          <span className="hidden">{t.rich("account.removeOf", { ...bdi, name })}</span>
        </summary>
        <p>{t(factorsOf(props) === 1 ? "account.removeLast" : "account.removeText")}</p>
        <Change {...props} what={what} entry={entry.id} id={`remove-${at}`} className="secondary">
          {t.rich("account.removeOf", { ...bdi, name })}
        </Change>
      </details>
    </li>
  );
}

/** A form with one button. */
function Change(
  props: Props & { what: string; id: string; entry?: unknown; className?: "link" | "secondary"; children: ReactNode },
) {
  const { action, fields, what, id, entry, className = "link", children } = props;
  return (
    <form method="post" action={action}>
      <HiddenFields values={{ ...fields, what, id: typeof entry === "string" ? entry : undefined }} />
      <button className={className} type="submit" id={id}>
        {children}
      </button>
    </form>
  );
}

function factorsOf({ apps, mailedCodes, passkeys }: AccountPageProps): number {
  return apps.length + passkeys.length + (mailedCodes ? 1 : 0);
}

function day(locale: string, at: number): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(at);
}

function moment(locale: string, at: number): string {
  const style = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat(locale, style).format(at)} UTC`;
}
