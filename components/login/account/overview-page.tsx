// The overview of a user's own account: who is signed in, what can be managed, and signing out.
import type { LoginTranslator } from "../../../messages/login";
import { hasName, LoginName, Name } from "../../ui/user-text";
import {
  AccountButton,
  type AccountFields,
  type AccountSection,
  accountHref,
  accountSections,
  SavedNote,
  SIGN_OUT_PATH,
} from "../account-frame";

export interface AccountOverviewProps {
  fields: AccountFields;
  displayName: string;
  loginName: string;
  saved: boolean;
  email?: string;
  isEmailVerified: boolean;
  /** The number of second factors: authenticator apps, passkeys, codes by email. */
  phone?: string;
  isPhoneVerified: boolean;
  factors: number;
  sessions: number;
  apps: number;
  organizationName?: string;
}

export function AccountOverviewPage({ t, ...props }: AccountOverviewProps & { t: LoginTranslator }) {
  const about: Record<Exclude<AccountSection, "overview">, string> = {
    profile: t("account.profileText"),
    email: emailText(t, props),
    phone: phoneText(t, props),
    security: t("account.factorCount", { count: props.factors }),
    sessions: t("account.browserCount", { count: props.sessions }),
    apps: t("account.applicationCount", { count: props.apps }),
    activity: t("account.activityText"),
  };
  const reached: Partial<Record<AccountSection, string>> = { email: props.email, phone: props.phone };
  return (
    <>
      <h1>{t("account.title")}</h1>
      <p className="lead">
        {hasName(props) && (
          <>
            <Name>{props.displayName}</Name>
            {" · "}
          </>
        )}
        <LoginName>{props.loginName}</LoginName>
      </p>
      {props.saved && <SavedNote t={t} />}
      <ul className="entries overview">
        {(Object.keys(about) as (keyof typeof about)[]).map((section) => (
          <li key={section}>
            <p>
              <a id={section} href={accountHref(accountSections[section].path, props.fields)}>
                {t(accountSections[section].title)}
              </a>
            </p>
            <p>
              {reached[section] && (
                <>
                  <LoginName>{reached[section]}</LoginName>
                  {" · "}
                </>
              )}
              {about[section]}
            </p>
          </li>
        ))}
      </ul>
      <AccountButton action={SIGN_OUT_PATH} fields={props.fields} id="sign-out" className="secondary">
        {t("account.signOut")}
      </AccountButton>
    </>
  );
}

function emailText(t: LoginTranslator, { email, isEmailVerified }: AccountOverviewProps): string {
  if (email === undefined) return t("account.noEmail");
  return t(isEmailVerified ? "account.emailConfirmed" : "account.emailUnconfirmed");
}

function phoneText(t: LoginTranslator, { phone, isPhoneVerified }: AccountOverviewProps): string {
  if (phone === undefined) return t("account.noPhone");
  return t(isPhoneVerified ? "account.emailConfirmed" : "account.emailUnconfirmed");
}
