// The overview of a user's own account: who is signed in, what can be managed, and signing out. Without a passkey, it
// offers to add one.
import type { LoginTranslator } from "../../../messages/login";
import { linkTarget } from "../../ui/links";
import { hasName, LoginName, Name } from "../../ui/user-text";
import {
  AccountButton,
  type AccountFields,
  AccountFrame,
  type AccountSection,
  accountHref,
  accountSections,
  SIGN_OUT_PATH,
} from "../account-frame";

export interface AccountOverviewProps {
  fields: AccountFields;
  displayName: string;
  loginName: string;
  saved: boolean;
  email?: string;
  isEmailVerified: boolean;
  phone?: string;
  isPhoneVerified: boolean;
  passkeys: number;
  addPasskeyHref: string;
  /** The number of second factors that are not passkeys: authenticator apps, codes by email or text message. */
  factors: number;
  sessions: number;
  apps: number;
  organizationName?: string;
}

export function AccountOverviewPage({ t, ...props }: AccountOverviewProps & { t: LoginTranslator }) {
  const about: Record<Exclude<AccountSection, "overview">, string> = {
    security: protectionText(t, props),
    profile: t("account.profileText"),
    email: emailText(t, props),
    phone: phoneText(t, props),
    sessions: t("account.browserCount", { count: props.sessions }),
    apps: t("account.applicationCount", { count: props.apps }),
    activity: t("account.activityText"),
  };
  const reached: Partial<Record<AccountSection, string>> = { email: props.email, phone: props.phone };
  return (
    <AccountFrame t={t} section="overview" fields={props.fields} saved={props.saved}>
      <p className="lead">
        {hasName(props) && (
          <>
            <Name>{props.displayName}</Name>
            {" · "}
          </>
        )}
        <LoginName>{props.loginName}</LoginName>
      </p>
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
            {section === "security" && props.passkeys === 0 && (
              <p>
                <a id="add-passkey" href={linkTarget(props.addPasskeyHref)}>
                  {t("passkey.addTitle")}
                </a>
              </p>
            )}
          </li>
        ))}
      </ul>
      <div className="phone-only">
        <AccountButton action={SIGN_OUT_PATH} fields={props.fields} id="sign-out-here" className="secondary">
          {t("account.signOut")}
        </AccountButton>
      </div>
    </AccountFrame>
  );
}

function protectionText(t: LoginTranslator, { passkeys, factors }: AccountOverviewProps): string {
  const counts = [t("account.passkeyCount", { count: passkeys }), t("account.factorCount", { count: factors })];
  return counts.join(" · ");
}

function emailText(t: LoginTranslator, { email, isEmailVerified }: AccountOverviewProps): string {
  if (email === undefined) return t("account.noEmail");
  return t(isEmailVerified ? "account.emailConfirmed" : "account.emailUnconfirmed");
}

function phoneText(t: LoginTranslator, { phone, isPhoneVerified }: AccountOverviewProps): string {
  if (phone === undefined) return t("account.noPhone");
  return t(isPhoneVerified ? "account.emailConfirmed" : "account.emailUnconfirmed");
}
